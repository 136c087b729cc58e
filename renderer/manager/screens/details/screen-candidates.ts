// Reasons of a content service's schedule (V3-123) as the manager's table of reasons shows them.

import type { ScreenScheduleV3 } from "../../../../server/contract/v3/v3-screen-schedule.ts";
import type {
  Candidate,
  Reason,
} from "../../../../server/core/schedule/schedule.ts";

type CandidateV3 = ScreenScheduleV3["candidates"][number];

export function candidateOf(candidate: CandidateV3): Candidate {
  const { kind, id, name, asset_id: assetId, playlist } = candidate;
  return {
    ...{ kind, id, name, assetId, playlistId: playlist?.id ?? null },
    reason: reasonOf(candidate),
  };
}

function reasonOf({ reason, playlist, predicate }: CandidateV3): Reason {
  switch (reason.code) {
    case "outranked":
      return {
        ...{ code: reason.code, playlistId: playlist?.id ?? "" },
        ...{ name: reason.name ?? "", priority: reason.priority ?? 0 },
      };
    case "predicate-false": {
      const part = reason.part ?? predicate;
      const from = Math.max(0, predicate.indexOf(part));
      return { code: reason.code, part, from, to: from + part.length };
    }
    case "other-groups":
      return { code: reason.code, groups: reason.labels ?? [] };
    case "playlist-empty":
      return { code: reason.code, items: reason.items ?? 0 };
    case "quarantined":
      return { code: reason.code, until: null };
    // A content service has neither dates nor hours of assets.
    case "outside-dates":
    case "outside-hours":
      return { code: "disabled" };
    default:
      return { code: reason.code };
  }
}
