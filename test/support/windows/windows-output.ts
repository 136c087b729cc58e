// Output of Windows programs as they print it: captions in the system's language, numbers and codes in none.

const captions = {
  english: {
    plan: "Power Scheme GUID",
    balanced: "Balanced",
    group: "Subgroup GUID",
    setting: "Power Setting GUID",
    names: {
      sleep: ["Sleep", "Sleep after"],
      display: ["Display", "Turn off display after"],
      hibernate: ["Sleep", "Hibernate after"],
    },
    least: "Minimum Possible Setting",
    most: "Maximum Possible Setting",
    step: "Possible Settings increment",
    unit: "Possible Settings units: Seconds",
    pluggedIn: "Current AC Power Setting Index",
    onBattery: "Current DC Power Setting Index",
  },
  german: {
    plan: "GUID des Energieschemas",
    balanced: "Ausbalanciert",
    group: "GUID der Untergruppe",
    setting: "GUID der Energieeinstellung",
    names: {
      sleep: ["Energie sparen", "Deaktivierung nach"],
      display: ["Bildschirm", "Bildschirm ausschalten nach"],
      hibernate: ["Energie sparen", "Ruhezustand nach"],
    },
    least: "Minimum der möglichen Einstellung",
    most: "Maximum der möglichen Einstellung",
    step: "Schrittweise Erhöhung der möglichen Einstellungen",
    unit: "Einheiten der möglichen Einstellungen: Sekunden",
    pluggedIn: "Index der aktuellen Wechselstromeinstellung",
    onBattery: "Index der aktuellen Gleichstromeinstellung",
  },
} as const;

const guids = {
  sleep: [
    "238c9fa8-0aad-41ed-83f4-97be242c8f20",
    "29f6c1db-86da-48c5-9fdb-f2b67b1f44da",
  ],
  display: [
    "7516b95f-f776-4464-8c53-06167f40cc99",
    "3c0bc021-c8a8-4e07-a973-6b14cbcb2b7e",
  ],
  hibernate: [
    "238c9fa8-0aad-41ed-83f4-97be242c8f20",
    "9d7815a6-7ee4-497e-8888-515a05f02364",
  ],
} as const;

type Idle = keyof typeof guids;

/** `powercfg /query SCHEME_CURRENT …` of one setting, its values in hexadecimal seconds. */
function powercfgIn(language: keyof typeof captions) {
  const captionsOf = captions[language];
  return (idle: Idle, pluggedIn: string, onBattery: string): string => {
    const [group, name] = captionsOf.names[idle];
    const [groupId, id] = guids[idle];
    return [
      `${captionsOf.plan}: 381b4222-f694-41f0-9685-ff5bb260df2e  (${captionsOf.balanced})`,
      "  GUID Alias: SCHEME_BALANCED",
      `  ${captionsOf.group}: ${groupId}  (${group})`,
      `    ${captionsOf.setting}: ${id}  (${name})`,
      `      ${captionsOf.least}: 0x00000000`,
      `      ${captionsOf.most}: 0xffffffff`,
      `      ${captionsOf.step}: 0x00000001`,
      `      ${captionsOf.unit}`,
      `    ${captionsOf.pluggedIn}: 0x${pluggedIn}`,
      `    ${captionsOf.onBattery}: 0x${onBattery}`,
      "",
    ].join("\r\n");
  };
}

export const powercfg = {
  english: powercfgIn("english"),
  german: powercfgIn("german"),
};

const lines = (...all: readonly string[]): string => `${all.join("\r\n")}\r\n`;

/** `w32tm /query /status`. Its errors are on standard output, too. */
export const w32tm = {
  kept: lines(
    "Leap Indicator: 0(no warning)",
    "Stratum: 4 (secondary reference - syncd by (S)NTP)",
    "Precision: -23 (119.209ns per tick)",
    "Root Delay: 0.0475434s",
    "Root Dispersion: 14.8991085s",
    "ReferenceId: 0xC0A803E3 (source IP:  192.168.3.227)",
    "Last Successful Sync Time: 7/15/2019 1:21:37 PM",
    "Source: DC1.domain.local ",
    "Poll Interval: 10 (1024s)",
  ),
  keptGerman: lines(
    "Sprungindikator: 0(keine Warnung)",
    "Stratum: 4 (Sekundärreferenz - synchr. über (S)NTP)",
    "Präzision: -23 (119.209ns pro Tick)",
    "Stammverzögerung: 0.0168694s",
    "Stammabweichung: 7.7960610s",
    "Referenz-ID: 0x0D5F41FB (Quell-IP:  13.95.65.251)",
    "Letzte erfolgr. Synchronisierungszeit: 20.09.2024 10:43:13",
    "Quelle: time.windows.com,0x9 ",
    "Abrufintervall: 10 (1024s)",
  ),
  keptByHost: lines(
    "Leap Indicator: 0(no warning)",
    "Stratum: 6 (secondary reference - syncd by (S)NTP)",
    "Precision: -23 (119.209ns per tick)",
    "Root Delay: 0.0000000s",
    "Root Dispersion: 0.0100000s",
    'ReferenceId: 0x564D5450 (source name:  "VMTP")',
    "Last Successful Sync Time: 9/16/2023 12:52:13 PM",
    "Source: VM IC Time Synchronization Provider ",
    "Poll Interval: 6 (64s)",
  ),
  unset: lines(
    "Leap Indicator: 3(not synchronized)",
    "Stratum: 0 (unspecified)",
    "Precision: -23 (119.209ns per tick)",
    "Root Delay: 0.0267908s",
    "Root Dispersion: 0.0402331s",
    "ReferenceId: 0x00000000 (unspecified)",
    "Last Successful Sync Time: 9/16/2023 12:52:13 PM",
    "Source: time.windows.com,0x8 ",
    "Poll Interval: 6 (64s)",
  ),
  local: lines(
    "Leap Indicator: 0(no warning)",
    "Stratum: 1 (primary reference - syncd by radio clock)",
    "Precision: -23 (119.209ns per tick)",
    "Root Delay: 0.0000000s",
    "Root Dispersion: 10.0000000s",
    'ReferenceId: 0x4C4F434C (source name:  "LOCL")',
    "Last Successful Sync Time: 7/15/2019 1:21:37 PM",
    "Source: Local CMOS Clock ",
    "Poll Interval: 6 (64s)",
  ),
  localGerman: lines(
    "Sprungindikator: 0(keine Warnung)",
    "Stratum: 1 (Primärreferenz - synchr. über Funkuhr)",
    "Präzision: -23 (119.209ns pro Tick)",
    "Stammverzögerung: 0.0000000s",
    "Stammabweichung: 10.0000000s",
    'Referenz-ID: 0x4C4F434C (Quellname:  "LOCL")',
    "Letzte erfolgr. Synchronisierungszeit: 20.09.2024 10:43:13",
    "Quelle: Local CMOS Clock ",
    "Abrufintervall: 6 (64s)",
  ),
  stopped: lines(
    "The following error occurred: The service has not been started. (0x80070426)",
  ),
  stoppedGerman: lines(
    "Folgender Fehler ist aufgetreten: Der Dienst wurde nicht gestartet. (0x80070426)",
  ),
  denied: lines("The following error occurred: Access is denied. (0x80070005)"),
  deniedGerman: lines(
    "Folgender Fehler ist aufgetreten: Zugriff verweigert (0x80070005)",
  ),
};

/** `reg query …\W32Time\Parameters /v Type`. */
export const timeType = (value: string): string =>
  lines(
    "",
    "HKEY_LOCAL_MACHINE\\SYSTEM\\CurrentControlSet\\Services\\W32Time\\Parameters",
    `    Type    REG_SZ    ${value}`,
    "",
  );

/** `reg query …\WindowsUpdate`, with a key below it. */
export const updatePolicies = (
  values: readonly (readonly [string, string])[],
): string =>
  lines(
    "",
    "HKEY_LOCAL_MACHINE\\SOFTWARE\\Policies\\Microsoft\\Windows\\WindowsUpdate",
    ...values.map(([name, value]) => `    ${name}    REG_DWORD    ${value}`),
    "",
    "HKEY_LOCAL_MACHINE\\SOFTWARE\\Policies\\Microsoft\\Windows\\WindowsUpdate\\AU",
  );

/** `schtasks /query /tn Vitrine /xml`. */
export const task = lines(
  '<?xml version="1.0" encoding="UTF-16"?>',
  '<Task version="1.3" xmlns="http://schemas.microsoft.com/windows/2004/02/mit/task">',
  "  <RegistrationInfo>",
  "    <URI>\\Vitrine</URI>",
  "  </RegistrationInfo>",
  '  <Principals><Principal id="Author"><LogonType>InteractiveToken</LogonType></Principal></Principals>',
  "  <Settings>",
  "    <MultipleInstancesPolicy>IgnoreNew</MultipleInstancesPolicy>",
  "    <Enabled>true</Enabled>",
  "  </Settings>",
  "  <Triggers><LogonTrigger><Enabled>true</Enabled></LogonTrigger></Triggers>",
  '  <Actions Context="Author">',
  "    <Exec>",
  "      <Command>C:\\Program Files\\Vitrine\\Vitrine.exe</Command>",
  "      <Arguments>--supervise --profile unattended</Arguments>",
  "    </Exec>",
  "  </Actions>",
  "</Task>",
);

export const taskSwitchedOff = task.replace(
  "    <Enabled>true</Enabled>\r\n  </Settings>",
  "    <Enabled>false</Enabled>\r\n  </Settings>",
);

/** `tasklist /fi "PID eq …" /fo csv /nh`. */
export const listed = (name: string, pid: number): string =>
  lines(`"${name}","${pid}","Console","1","312.456 K"`);
export const nobodyListed = lines(
  "INFO: No tasks are running which match the specified criteria.",
);
export const nobodyListedGerman = lines(
  "INFORMATION: Es werden keine Aufgaben mit den angegebenen Kriterien ausgeführt.",
);
