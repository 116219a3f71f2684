#include "CSluiceSQLite.h"
