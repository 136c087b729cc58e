// System check texts required of every language: for each code, the finding and the advice.

import type {
  SiteCode,
  SiteFact,
  SiteFacts,
} from "../../../server/contract/site.ts";

export interface SiteText {
  readonly found: string;
  /** Null where there is nothing to do. */
  readonly advice: string | null;
  /** Command that the advice refers to, to be copied as it is. */
  readonly command?: string;
}

export type SiteTexts = {
  readonly [Code in SiteCode]: (fact: SiteFacts[Code]) => SiteText;
};

/** Commands, identical in every language. */
export const siteCommands = {
  stayAwake:
    "xset s off -dpms; systemctl mask sleep.target suspend.target hibernate.target hybrid-sleep.target",
  stayAwakeOnWindows:
    "powercfg /change standby-timeout-ac 0; powercfg /change monitor-timeout-ac 0; powercfg /change hibernate-timeout-ac 0",
  rebootTime: 'Unattended-Upgrade::Automatic-Reboot-Time "04:00";',
  setClock: "timedatectl set-ntp true",
  setClockOnWindows:
    "sc.exe config w32time start= auto; net start w32time; w32tm /resync",
  /** Access for the owner, the system and the administrators only, whatever the language of the system. */
  restrictFolder: (dir: string): string =>
    `icacls "${dir}" /inheritance:r /grant:r "*S-1-3-4:(OI)(CI)F" "*S-1-5-18:(OI)(CI)F" "*S-1-5-32-544:(OI)(CI)F"`,
  watch: "systemctl --user enable --now vitrine",
  kill: (call: string): string => `${call} --site-check --try-kill`,
} as const;

/** Never broken across two lines. */
export function sizeOfDisplay(width: number, height: number): string {
  return `${width}\u00a0×\u00a0${height}`;
}

/** The texts in one language; a code of another version is shown as it is. */
export function siteText(siteTexts: SiteTexts, fact: SiteFact): SiteText {
  const format = siteTexts[fact.code] as
    ((fact: SiteFact) => SiteText) | undefined;
  return format?.(fact) ?? { found: fact.code, advice: null };
}
