module example.test/deployer

go 1.19
