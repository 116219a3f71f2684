#ifndef SLUICE_YAML_SHIM_H
#define SLUICE_YAML_SHIM_H

#include <yaml.h>

#endif
