import SluiceCommands

Sluice.main()
