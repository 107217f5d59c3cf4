    Application {
        name: tides::NAME,
        about: "Write logs together with agents",
        port: 3010,
        variables: &[],
        mount: |config, deps| Ok(tides::mount(&config.apps.tides, deps)),
        commands: None,
    },
