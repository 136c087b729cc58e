// Windows scheduled task for the content service: starts with the machine, restarts within a minute, needs no login.

export interface TaskOptions {
  /** Absolute path of the project's own Node. */
  readonly node: string;
  readonly script: string;
  readonly workingFolder: string;
  readonly flags: readonly string[];
}

/** NT AUTHORITY\LOCAL SERVICE: the rights of an ordinary user, no password, and no profile that anybody logs in to. */
const localService = "S-1-5-19";

/** For `schtasks /Create /XML`, which reads UTF-16 with a byte order mark. */
export function windowsTaskFile(options: TaskOptions): Buffer {
  return Buffer.from(`\uFEFF${windowsTask(options)}`, "utf16le");
}

/** A running instance is left alone, so that a start every minute amounts to a restart after an exit. */
export function windowsTask({
  node,
  script,
  workingFolder,
  flags,
}: TaskOptions): string {
  const everyMinute = "<Repetition><Interval>PT1M</Interval></Repetition>";
  const words = [script, ...flags].map(quoted).join(" ");
  return `<?xml version="1.0" encoding="UTF-16"?>
<Task version="1.2" xmlns="http://schemas.microsoft.com/windows/2004/02/mit/task">
  <RegistrationInfo>
    <Description>Vitrine content service</Description>
  </RegistrationInfo>
  <Triggers>
    <RegistrationTrigger>${everyMinute}</RegistrationTrigger>
    <BootTrigger>${everyMinute}</BootTrigger>
  </Triggers>
  <Principals>
    <Principal id="Author">
      <UserId>${localService}</UserId>
      <RunLevel>LeastPrivilege</RunLevel>
    </Principal>
  </Principals>
  <Settings>
    <MultipleInstancesPolicy>IgnoreNew</MultipleInstancesPolicy>
    <DisallowStartIfOnBatteries>false</DisallowStartIfOnBatteries>
    <StopIfGoingOnBatteries>false</StopIfGoingOnBatteries>
    <ExecutionTimeLimit>PT0S</ExecutionTimeLimit>
    <Priority>5</Priority>
  </Settings>
  <Actions Context="Author">
    <Exec>
      <Command>${escaped(quoted(node))}</Command>
      <Arguments>${escaped(words)}</Arguments>
      <WorkingDirectory>${escaped(workingFolder)}</WorkingDirectory>
    </Exec>
  </Actions>
</Task>
`.replaceAll("\n", "\r\n");
}

/** Follows Windows' parsing of command lines: backslashes are doubled only before a quotation mark. */
function quoted(word: string): string {
  if (word !== "" && !/[\s"]/.test(word)) return word;
  const parts = word.split('"').map((part) => part + trailingBackslashes(part));
  return `"${parts.join('\\"')}"`;
}

function trailingBackslashes(text: string): string {
  let from = text.length;
  while (text[from - 1] === "\\") from -= 1;
  return text.slice(from);
}

function escaped(text: string): string {
  return text
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;");
}
