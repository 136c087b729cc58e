// Texts of a finding of the system check: what was found, what to do about it, and the command to type.

import type {
  SiteCode,
  SiteDisplay,
  SiteFact,
  SiteFacts,
  SiteSystem,
} from "../../server/contract/site-check.ts";
import { displaySize } from "./formats.ts";
import type { MessageValues, Translator } from "./translator.ts";

export interface Finding {
  readonly found: string;
  /** Null where there is nothing to do. */
  readonly advice: string | null;
  /** Command that the advice refers to, to be copied as it is. */
  readonly command?: string;
}

/** A function of the facts for the codes that need one. */
type ByCode<Result> = {
  readonly [Code in SiteCode]?: (facts: SiteFacts[Code]) => Result;
};

function resultFor<Result>(
  functions: ByCode<Result>,
  fact: SiteFact,
): Result | undefined {
  const ofCode = functions[fact.code] as
    | ((facts: SiteFact) => Result)
    | undefined;
  return ofCode?.(fact);
}

/** Words findings in this language. A code of another version is shown as it is. */
export function findingsIn({
  t,
  messageFor,
  formats,
}: Pick<Translator, "t" | "messageFor" | "formats">): (
  fact: SiteFact,
) => Finding {
  const valuesOf: ByCode<MessageValues> = {
    late: ({ seconds }) => ({ timeout: formats.length(seconds) }),
    failed: ({ reason }) => ({ reason }),
    "may-sleep": ({ hasDpms, saverSeconds, mayBeSuspended }) => ({
      causes: formats.list([
        ...(hasDpms ? [t("systemCheck.sleepCauses.displayOff")] : []),
        ...(saverSeconds === null
          ? []
          : [
              t("systemCheck.sleepCauses.screenSaver", {
                delay: formats.length(saverSeconds),
              }),
            ]),
        ...(mayBeSuspended ? [t("systemCheck.sleepCauses.suspend")] : []),
      ]),
    }),
    "restarts-at": ({ at }) => ({ at }),
    "active-hours": ({ from, to }) => ({
      from: formats.timeOfDay(from * hourMs),
      to: formats.timeOfDay(to * hourMs),
    }),
    displays: displayValues,
    "other-display": ({ displays, configured }) => ({
      ...displayValues({ displays }),
      number: configured + 1,
    }),
    "drawn-by-card": ({ decodes }) => ({ decodes }),
    decodes: decodingValues,
    "decodes-too-little": ({ needed, ...decoding }) => ({
      ...decodingValues(decoding),
      needed: formats.list(needed),
    }),
    disk: diskValues,
    "disk-full": diskValues,
    "disk-slow": diskValues,
    "disk-refuses": ({ dataDir, isFull }) => ({ dataDir, isFull }),
    "folder-open": ({ dataDir, others, system }) => ({
      ...{ dataDir, system },
      others: formats.list(others),
    }),
    "shared-memory-small": ({ bytes }) => ({ size: formats.size(bytes) }),
    "clock-behind": clockValues,
    "clock-kept": clockValues,
    "clock-not-kept": clockValues,
    "clock-untold": clockValues,
    "started-only": ({ system }) => ({ system }),
    sandbox: ({ name, version }) => ({ name, version }),
    "no-player": ({ dataDir }) => ({ dataDir }),
    "not-back": durationValues,
    back: durationValues,
    "back-late": durationValues,
  };

  function displayValues(facts: {
    readonly displays: readonly SiteDisplay[];
  }): MessageValues {
    const displays = facts.displays.map(({ width, height, rate }) =>
      t("systemCheck.display", {
        size: displaySize(width, height),
        hasRate: rate > 0,
        rate,
      }),
    );
    return { count: displays.length, displays: formats.list(displays) };
  }

  function decodingValues(
    facts: Pick<SiteFacts["decodes"], "plays" | "lacks">,
  ): MessageValues {
    const { plays, lacks } = facts;
    return {
      isComplete: lacks.length === 0,
      plays: formats.list(plays),
      lacks: formats.list(lacks),
    };
  }

  function diskValues(facts: SiteFacts["disk"]): MessageValues {
    return {
      free: formats.size(facts.freeBytes),
      speed: formats.size(facts.bytesPerSecond),
    };
  }

  function clockValues({ now, zone }: SiteFacts["clock-kept"]): MessageValues {
    return { now: formats.moment(now), zone };
  }

  function durationValues({ seconds }: SiteFacts["back"]): MessageValues {
    return { duration: formats.length(seconds) };
  }

  return (fact) => {
    const values = resultFor(valuesOf, fact) ?? {};
    const command = resultFor(commandsOf, fact);
    return {
      found: messageFor("systemCheck.findings", fact.code, values) ?? fact.code,
      advice: messageFor("systemCheck.advice", fact.code, values) ?? null,
      ...(command != null && { command }),
    };
  };
}

const hourMs = 3_600_000;

/** Commands, identical in every language; null where the advice on this system needs none. */
const commandsOf: ByCode<string | null> = {
  "may-sleep": () =>
    "xset s off -dpms; systemctl mask sleep.target suspend.target hibernate.target hybrid-sleep.target",
  "plan-sleeps": () =>
    "powercfg /change standby-timeout-ac 0; powercfg /change monitor-timeout-ac 0; powercfg /change hibernate-timeout-ac 0",
  "restarts-at-once": () =>
    'Unattended-Upgrade::Automatic-Reboot-Time "04:00";',
  // Access for the owner, the system and the administrators only, whatever the language of the system.
  "folder-open": ({ dataDir, system }) =>
    onWindows(system)
      ? `icacls "${dataDir}" /inheritance:r /grant:r "*S-1-3-4:(OI)(CI)F" "*S-1-5-18:(OI)(CI)F" "*S-1-5-32-544:(OI)(CI)F"`
      : null,
  "clock-not-kept": ({ system }) =>
    onWindows(system)
      ? "sc.exe config w32time start= auto; net start w32time; w32tm /resync"
      : "timedatectl set-ntp true",
  "started-only": ({ system }) =>
    onWindows(system) ? null : "systemctl --user enable --now vitrine",
  // On Windows the windowed program has no terminal to type digits into.
  "no-pin": ({ call, system }) =>
    onWindows(system)
      ? `"1234" | ${call} --set-exit-pin`
      : `${call} --set-exit-pin`,
  "not-killed": ({ call }) => `${call} --site-check --try-kill`,
};

function onWindows(system: SiteSystem): boolean {
  return system === "windows";
}
