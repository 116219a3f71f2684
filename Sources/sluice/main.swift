import SluiceCommands
import SluiceWeb

Sluice.main { control, listening in try WebServer(control: control, listening: listening) }
