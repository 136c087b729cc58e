// Each question the manager may ask → one call on the player.

import type { Player } from "../server/player/player.ts";
import type { Config } from "./config.ts";
import type { ContentHost } from "./content-host.ts";
import type { ManagerCalls } from "./ipc.ts";
import { aboutCalls } from "./manager-about.ts";
import { backupCalls } from "./manager-backup.ts";
import { addingCalls, type TellAdding } from "./manager-adding.ts";
import { contentCalls } from "./manager-content.ts";
import { machineCalls, type MachineParts } from "./manager-machine.ts";
import { planCalls, type AirGap } from "./manager-plans.ts";
import { savingCalls, type AskForPlace } from "./manager-saving.ts";
import { siteCalls } from "./manager-site.ts";

/** What the desk reaches beside the player. */
export interface DeskParts extends MachineParts {
  readonly host: ContentHost;
  readonly tellAdding: TellAdding;
  readonly askForPlace: AskForPlace;
  readonly config: Config;
  /** Throws where there is no sync. */
  readonly airGap: () => AirGap;
  /** Where the bundle lies. */
  readonly dist: string;
}

export function managerCalls(player: Player, parts: DeskParts): ManagerCalls {
  const { host, tellAdding, askForPlace, config, dist } = parts;
  return {
    ...contentCalls(host),
    ...backupCalls(player, askForPlace),
    ...savingCalls(askForPlace),
    ...aboutCalls(config.dataDir, dist),
    ...planCalls(parts.airGap, askForPlace),
    ...siteCalls(config),
    ...machineCalls(player, parts),
    listAssets: () => player.assets(),
    ...addingCalls(player, tellAdding),
    operate: (wanted) => player.operate(wanted),
  };
}
