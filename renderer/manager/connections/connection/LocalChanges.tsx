// Local changes to the content of a connection: counted, listed, and discarded one by one or all at once (V2-560, V2-656).

import { Box, Button, Stack } from "@mantine/core";
import { useState, type ReactNode } from "react";
import type { AssetView } from "../../api/asset-view.ts";
import type { LocalChangesV2 } from "../../../../server/contract/v2/v2-sync.ts";
import { useAssets } from "../../api/api.ts";
import {
  discardAssetChanges,
  discardDeletion,
  discardUndelivered,
} from "../../assets/asset-actions.ts";
import { operate, useAnswer } from "../../api/operations.ts";
import { ShowMore } from "../ShowMore.tsx";
import { useFocusAfter } from "../../components/focus/focus-after.ts";
import { useFocusInRows } from "../../components/focus/focus-in-rows.ts";
import { NamedQuestion } from "../../components/controls/Confirmation.tsx";
import {
  notifySuccess,
  notifyFailure,
} from "../../components/outcomes/outcome.ts";
import { addressOf } from "../../place/navigation.ts";
import { usePlaylistActions } from "../../playlist-actions/use-playlists.ts";
import { formats } from "../../../locales/language.ts";
import { t } from "../../../locales/messages.ts";
import { useDiscard } from "../../local-changes/LocalChangesNote.tsx";
import {
  canBeSetAgain,
  hasLocalSource,
  namesOf,
  useRefetchChanges,
  useLocalChangesOf,
} from "../../local-changes/use-local-changes.ts";

const firstShown = 50;

interface Props {
  readonly connectionId: string;
  readonly name: string;
}

export function LocalChanges(props: Props): ReactNode {
  const { connectionId } = props;
  const changes = useLocalChangesOf(connectionId);
  const isShown = changes.length > 0;
  const card = `[aria-labelledby="connection-${connectionId}"]`;
  const focus = useFocusAfter(isShown, `${card} .connection-head button`);
  if (!isShown) return null;
  return (
    <details className="kept-plans line-above" {...focus}>
      <summary>
        {t("localChanges.title")}
        {" · "}
        {t("localChanges.count", { count: changes.length })}
      </summary>
      <Listed {...props} changes={changes} />
    </details>
  );
}

interface ListedProps extends Props {
  readonly changes: readonly LocalChangesV2[];
}

function Listed(props: ListedProps): ReactNode {
  const { connectionId, name, changes } = props;
  const [shown, setShown] = useState(firstShown);
  const rows = useFocusInRows("button");
  const views = useAssets().data;
  const playlists = useAnswer("listPlaylists", {}).data;
  const origins = useAnswer("listSyncOrigins", {}).data;
  const synced = origins?.find(({ account_id: id }) => id === connectionId);
  const viewsById = new Map(views?.map((view) => [view.id, view]));
  const playlistIds = new Set(playlists?.map((one) => one.playlist_id));
  const deliveredIds = new Set(
    synced && [...synced.assets, ...synced.playlists],
  );
  return (
    <Stack className="local-changes-list" gap={8} {...rows}>
      <p className="quiet">
        {t("localChanges.description", { service: name })}
      </p>
      {changes.length > 1 ? <All {...props} /> : null}
      <Box
        component="ul"
        className="panel-rows"
        data-inset="true"
        mah={420}
        style={{ overflowY: "auto" }}
      >
        {changes.slice(0, shown).map((one) => (
          <Row
            key={`${one.kind} ${one.id}`}
            changes={one}
            service={name}
            view={viewsById.get(one.id)}
            isHere={viewsById.has(one.id) || playlistIds.has(one.id)}
            isDelivered={synced === undefined || deliveredIds.has(one.id)}
          />
        ))}
      </Box>
      <ShowMore shown={shown} all={changes.length} onShown={setShown} />
    </Stack>
  );
}

function All({ connectionId, name, changes }: ListedProps): ReactNode {
  const [isConfirming, setIsConfirming] = useState(false);
  const refetch = useRefetchChanges();
  if (!isConfirming)
    return (
      <Button
        style={{ alignSelf: "flex-start" }}
        variant="default"
        onClick={() => {
          setIsConfirming(true);
        }}
      >
        {t("localChanges.discardAll")}
      </Button>
    );
  return (
    <NamedQuestion
      question={t("localChanges.discardAllQuestion", { count: changes.length })}
      consequence={t("localChanges.discardAllConsequence", { service: name })}
      no={t("manager.cancel")}
      yes={t("localChanges.discardAll")}
      onNo={() => {
        setIsConfirming(false);
      }}
      onYes={async () => {
        const parameters = { account_id: connectionId };
        try {
          await operate("discardAllLocalChanges", { parameters });
          notifySuccess(t("localChanges.allDiscarded", { service: name }));
        } catch (error) {
          notifyFailure(t("localChanges.discardAllFailed"), error);
        } finally {
          await refetch();
          setIsConfirming(false);
        }
      }}
    />
  );
}

interface RowProps {
  readonly changes: LocalChangesV2;
  readonly service: string;
  readonly view: AssetView | undefined;
  readonly isHere: boolean;
  /** The service currently delivers it. */
  readonly isDelivered: boolean;
}

function Row(props: RowProps): ReactNode {
  const { changes, service, view, isHere, isDelivered } = props;
  const { kind, id } = changes;
  const isAddress = view?.fileUrl === null;
  const name = changes.name ?? t(`localChanges.untitled.${kind}`);
  const { discardChanges: discardPlaylistChanges } = usePlaylistActions();
  const canBeUndone = isDelivered && canBeSetAgain(changes);
  const { isConfirming, setIsConfirming, press, go } = useDiscard(
    canBeUndone,
    () => {
      const named = { id, name };
      if (!isDelivered) return discardUndelivered(named);
      if (changes.is_deleted) return discardDeletion(named, changes);
      return kind === "asset"
        ? discardAssetChanges(named, changes, service)
        : discardPlaylistChanges({ playlist_id: id, name }, changes, service);
    },
  );
  if (isConfirming)
    return (
      <li>
        <NamedQuestion
          question={t("localChanges.discardQuestion", { name })}
          consequence={
            !hasLocalSource(changes) || changes.is_deleted || !isDelivered
              ? t("localChanges.discardConsequence.rest")
              : isAddress
                ? t("localChanges.discardConsequence.address")
                : t("localChanges.discardConsequence.file")
          }
          no={t("manager.cancel")}
          yes={t("localChanges.discard")}
          onNo={() => {
            setIsConfirming(false);
          }}
          onYes={go}
        />
      </li>
    );
  const page = kind === "asset" ? "library" : "playlists";
  return (
    <li>
      <div className="panel-main">
        <p>
          {isHere ? (
            <a className="text-link" href={addressOf(page, id)}>
              {name}
            </a>
          ) : (
            <bdi>{name}</bdi>
          )}
          <span className="quiet">
            {" "}
            · {t(`connections.review.kinds.${kind}`)}
          </span>
        </p>
        <p className="quiet">{changeText(props, isAddress)}</p>
      </div>
      <Button
        variant="default"
        aria-label={t("localChanges.discardNamed", { name })}
        onClick={press}
      >
        {t("localChanges.discard")}
      </Button>
    </li>
  );
}

function changeText(
  { changes, service, isDelivered }: RowProps,
  isAddress: boolean,
): string {
  const { is_deleted: isDeleted, fields } = changes;
  if (isDeleted)
    return isDelivered
      ? t("localChanges.deleted")
      : t("localChanges.deletedNotDelivered", { service });
  const changed = t("localChanges.changed", {
    fields: formats.list(namesOf(fields, isAddress)),
  });
  return isDelivered
    ? changed
    : `${changed} ${t("localChanges.notDelivered", { service })}`;
}
