// Local changes of synced assets and playlists: list and discard them (V2-560 to V2-563, V2-655, V2-656).

import { playerSentences } from "../../../contract/sentences/player-sentences.ts";
import { composeSentence } from "../../../contract/sentence-templates.ts";
import { extraFields } from "../../../contract/v2/v2-extras.ts";
import {
  discardAllLocalChangesQueryV2,
  discardLocalChangesQueryV2,
  type LocalChangesV2,
} from "../../../contract/v2/v2-sync.ts";
import { Failure } from "../../../core/failure.ts";
import type { SharedFlush } from "../../../platform/sqlite/shared-flush.ts";
import type {
  ListedChanges,
  LocalChangeStore,
} from "../../sync/store/local-changes.ts";
import { parseQuery } from "../request/body.ts";
import type { Handlers } from "../request/handlers.ts";

export function localChangeOperations(
  changes: LocalChangeStore,
  flush: SharedFlush,
) {
  return {
    listLocalChanges: (_request, response) => {
      const listed = changes.list().map(changesToV2);
      response.setHeader("Cache-Control", "no-store").json(listed);
    },
    discardLocalChanges: async (request, response) => {
      const { id } = request.params;
      const { fields } = parseQuery(request, discardLocalChangesQueryV2);
      // Null: all fields.
      const isNamed = fields
        ? (field: string): boolean => fields.includes(wireNameOf(field))
        : null;
      const isGivenUp = await flush.after(() => changes.giveUp(id, isNamed));
      if (!isGivenUp)
        throw new Failure(
          "not-found",
          composeSentence(playerSentences["local-changes-none"], { id }),
        );
      response.status(204).end();
    },
    discardAllLocalChanges: async (request, response) => {
      const { account_id: connectionId } = parseQuery(
        request,
        discardAllLocalChangesQueryV2,
      );
      const isGivenUp = await flush.after(() =>
        changes.giveUpAll(connectionId),
      );
      if (!isGivenUp)
        throw new Failure(
          "not-found",
          composeSentence(playerSentences["local-changes-none"], {
            id: connectionId,
          }),
        );
      response.status(204).end();
    },
  } satisfies Partial<Handlers>;
}

/** Fields other than extras that have a different name in the interface. */
const wireNames: Readonly<Record<string, string>> = {
  ...{ startsAt: "start_date", endsAt: "end_date" },
  ...{ durationSeconds: "duration", isEnabled: "is_enabled" },
  ...{ isShuffled: "shuffle" },
};

function wireNameOf(field: string): string {
  const name = field.slice(field.indexOf(".") + 1);
  const extra = Object.entries(extraFields).find(([known]) => known === name);
  return extra?.[1].wireName ?? wireNames[name] ?? name;
}

function changesToV2(listed: ListedChanges): LocalChangesV2 {
  const { connectionId, kind, id, name, isDeleted, fields } = listed;
  return {
    ...{ account_id: connectionId, kind, id, name, is_deleted: isDeleted },
    fields: fields.map(wireNameOf),
  };
}
