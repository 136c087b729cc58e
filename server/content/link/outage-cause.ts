// Cause of an outage, from what the service knows when it begins and when its screen is back (L-50).

import type { LinkFacts } from "../../contract/link/link.ts";
import type {
  OutageCause,
  OutageState,
  ScreenReport,
} from "../../contract/link/screen-report.ts";

export interface BegunOutage {
  readonly state: OutageState;
  readonly isEnabled: boolean;
  readonly report: ScreenReport | null;
}

/** When it begins; why a player does not respond is known once it is back. */
export function causeAtBegin(outage: BegunOutage): OutageCause {
  switch (outage.state) {
    case "offline":
      return outage.isEnabled ? "unknown" : "planned";
    case "incomplete":
      return "content";
    case "wrong":
      return causeOfWrong(outage.report);
  }
}

/** Videos stand still by themselves; a stream also does when its source does. */
const kindsPlayedHere = new Set(["video", "image"]);

function causeOfWrong(report: ScreenReport | null): OutageCause {
  const { showing = null, displays = [] } = report ?? {};
  // A player that does not report its displays lists none.
  if (displays.length > 0 && !displays.some(({ is_playback: is }) => is))
    return "display";
  if (showing?.verdict === "frozen")
    return kindsPlayedHere.has(showing.kind) ? "app" : "unknown";
  return showing?.reason === "not-ready" ? "content" : "unknown";
}

export interface ReturnedPlayer {
  /** Milliseconds since 1970, by the clock of the service. */
  readonly moment: number;
  readonly lastContactAt: number;
  /** Seconds; null where it was not reported. */
  readonly uptimeBefore: number | null;
  readonly facts: LinkFacts;
  /** It received a restart or reboot shortly before the outage. */
  readonly isRestartOrdered: boolean;
}

/** An uptime is in whole seconds, and its message takes a moment. */
const toleranceMs = 2_000;

/** When a player that did not respond is back, by when it and its PC started. */
export function causeOfSilence(player: ReturnedPlayer): OutageCause {
  const { facts, uptimeBefore } = player;
  const { uptime, machine_uptime: machineUptime } = facts;
  // The database's clock was set back since (L-36).
  const isUnordered = player.lastContactAt > player.moment;
  if (uptime === undefined || isUnordered)
    return player.isRestartOrdered ? "planned" : "unknown";
  const hasMachineRestarted =
    machineUptime !== undefined && startedSince(player, machineUptime);
  const isOtherRun = uptimeBefore !== null && uptime < uptimeBefore;
  if (!isOtherRun && !hasMachineRestarted && !startedSince(player, uptime))
    return "network";
  if (player.isRestartOrdered || facts.last_run_end === "requested")
    return "planned";
  if (hasMachineRestarted) return "power";
  // A run that seems to have begun since may have been suspended together with its PC.
  return isOtherRun && machineUptime !== undefined ? "app" : "unknown";
}

function startedSince(
  { moment, lastContactAt }: ReturnedPlayer,
  uptimeSeconds: number,
): boolean {
  return moment - uptimeSeconds * 1000 > lastContactAt + toleranceMs;
}
