import SluiceCommands
import SluiceSQLite
import SluiceWeb

Connection.countNoMemory()
Sluice.main { control, listening in try WebServer(control: control, listening: listening) }
