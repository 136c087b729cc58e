// On which screens of a content service a playlist plays, and the labels and screens that it is assigned to (V3-194).

import { MultiSelect, Text } from "@mantine/core";
import { useContext, useMemo, type ReactNode } from "react";
import { allScreensId } from "../../../server/contract/service-rows/playlist-from-row.ts";
import type { PlaylistV2 } from "../../../server/contract/v2/v2-playlists.ts";
import { t } from "../../locales/messages.ts";
import { Panel } from "../components/layout/Panel.tsx";
import { notifyInternalError } from "../components/outcomes/outcome.ts";
import { useQuestion } from "../api/manager-queries.ts";
import { addressOf } from "../place/navigation.ts";
import { GrantContext, type Grant } from "../place/permissions.ts";
import type { ScreenItem } from "../fleet/find-screens.ts";
import { useScreens } from "../fleet/use-screens.ts";
import { useScreensInOrder } from "../fleet/use-screens-in-order.ts";
import { useMayChange } from "../playlist-actions/PlaylistPermission.tsx";
import { usePlaylistActions } from "../playlist-actions/use-playlists.ts";
import { byName, screensOf, type Named } from "./screens-of-playlist.ts";

/** Labels are made on the screens page, too. */
const labelsIntervalMs = 10_000;
/** More are counted only. */
const maxNamed = 12;
/** In an open list of choices; typing finds the others. */
const maxChoices = 200;

export function PlaylistScreens({
  playlist,
}: {
  readonly playlist: PlaylistV2;
}): ReactNode {
  const { groups } = playlist;
  const { change } = usePlaylistActions();
  const mayChange = useMayChange();
  const grant = useContext(GrantContext);
  const { all: unordered, services, isLoading } = useScreens();
  const all = useScreensInOrder(unordered);
  const serviceId = services?.[0]?.id ?? "";
  const labels = useQuestion(
    "listScreenLabels",
    { serviceId },
    { isEnabled: serviceId !== "", intervalMs: labelsIntervalMs },
  ).data;
  const data = useMemo(
    () => choicesOf(groups, labels ?? [], all, grant),
    [groups, labels, all, grant],
  );
  const playing = useMemo(() => screensOf(groups, all), [groups, all]);
  const isKnown = labels !== undefined && !isLoading;
  return (
    <Panel
      title={t("playlists.service.screens")}
      about={t("playlists.service.screensHelp")}
    >
      {isKnown ? null : (
        <Text className="panel-note after-a-moment" c="dimmed">
          {t("manager.loading")}
        </Text>
      )}
      {isKnown && mayChange ? (
        <div className="panel-row">
          <MultiSelect
            aria-label={t("playlists.service.screens")}
            flex="1 1 260px"
            miw={0}
            maw={560}
            searchable
            clearable
            clearButtonProps={{
              "aria-label": t("playlists.service.clearScreens"),
            }}
            placeholder={
              groups.length === 0 ? t("playlists.service.screensHint") : ""
            }
            nothingFoundMessage={t("playlists.service.noSuchScreen")}
            limit={maxChoices}
            data={data}
            value={[...groups]}
            onChange={(next) => {
              change(playlist, { groups: next.toSorted() }).catch(
                notifyInternalError,
              );
            }}
          />
        </div>
      ) : null}
      {isKnown && !mayChange && groups.length > 0 ? (
        <p className="panel-note">
          {data
            .flatMap(({ items }) => items)
            .filter(({ value }) => groups.includes(value))
            .map(({ label }) => label)
            .join(", ")}
        </p>
      ) : null}
      {isKnown ? (
        <div className="panel-note">
          <Playing screens={playing} />
        </div>
      ) : null}
    </Panel>
  );
}

function Playing({
  screens,
}: {
  readonly screens: readonly Named[];
}): ReactNode {
  const count = screens.length;
  if (count === 0)
    return <p className="quiet">{t("playlists.service.onNoScreen")}</p>;
  const named = screens.slice(0, maxNamed);
  return (
    <p>
      {t("playlists.service.playsOn", { count })}{" "}
      {named.map(({ id, name }, index) => (
        <span key={id}>
          {index > 0 ? ", " : ""}
          <a className="text-link" href={addressOf("screens", id)}>
            <bdi>{name}</bdi>
          </a>
        </span>
      ))}
      {count > named.length ? (
        <>
          {" "}
          {t("playlists.service.moreScreens", { count: count - named.length })}
        </>
      ) : null}
    </p>
  );
}

/** What the playlist may be assigned to, and what it is assigned to already. */
function choicesOf(
  groups: readonly string[],
  labels: readonly Named[],
  all: readonly ScreenItem[],
  grant: Grant,
) {
  const limit = grant?.labels ?? null;
  const isWithin = (ids: readonly string[]): boolean =>
    limit === null || ids.some((id) => limit.some((one) => one.id === id));
  const isOffered = (id: string, ids: readonly string[]): boolean =>
    groups.includes(id) || isWithin(ids);
  const allScreens = {
    id: allScreensId,
    name: t("playlists.service.allScreens"),
  };
  const known = new Set([
    ...[allScreensId, ...labels.map(({ id }) => id)],
    ...all.map(({ screen }) => screen.id),
  ]);
  const unknown = groups
    .filter((id) => !known.has(id))
    .map((id) => ({ id, name: t("alerts.unknownLabel") }));
  const choice = ({ id, name }: Named) => ({ value: id, label: name });
  return [
    {
      group: t("playlists.service.labels"),
      items: [allScreens, ...byName(labels), ...unknown]
        .filter(({ id }) => isOffered(id, [id]))
        .map(choice),
    },
    {
      group: t("playlists.service.singleScreens"),
      items: all
        .map(({ screen }) => screen)
        .filter(({ id, groups: own }) =>
          isOffered(
            id,
            own.map((label) => label.id),
          ),
        )
        .map(choice),
    },
  ].filter(({ items }) => items.length > 0);
}
