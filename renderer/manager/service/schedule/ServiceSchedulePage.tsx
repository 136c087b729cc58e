// The schedule page of a content service: the week of a screen, or of a screen with one label, and why each playlist plays there or
// doesn't (V3-186).

import { Button, Select, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { IconCalendarWeek } from "@tabler/icons-react";
import { useEffect, useMemo, type ReactNode } from "react";
import { reasonOf } from "../../api/reason.ts";
import { t } from "../../../locales/messages.ts";
import { keyOf } from "../../api/operations.ts";
import { useQuestion } from "../../api/manager-queries.ts";
import { Empty } from "../../components/layout/Empty.tsx";
import { PageFrame } from "../../components/layout/PageFrame.tsx";
import { ErrorAlert } from "../../components/outcomes/ErrorAlert.tsx";
import { addressOf, stayAt, type PageProps } from "../../place/navigation.ts";
import { useMayRequest } from "../../place/permissions.ts";
import { useLibrary, type Library } from "../../lineup/schedule-inputs.ts";
import { screensOf } from "../../playlists/screens-of-playlist.ts";
import {
  ServiceWeekContext,
  type ServiceWeek,
} from "../../schedule/service-week.ts";
import { WeekPlan } from "../../schedule/WeekPlan.tsx";
import { useScreens, type AllScreens } from "../../fleet/use-screens.ts";
import { useScreensInOrder } from "../../fleet/use-screens-in-order.ts";
import { ownServiceId } from "../../service-requests/own-service.ts";
import {
  choicesOf,
  chosenOf,
  type ScheduleChoice,
  type ScheduleChoices,
} from "./schedule-choices.ts";
import { ScheduleTakeovers } from "./ScheduleTakeovers.tsx";
import { assetList } from "../library/asset-list.ts";
import type { PdfPages } from "../library/pdf-pages.ts";
import { weekOf } from "./screen-week.ts";

/** Labels are made on the screens page, too. */
const labelsIntervalMs = 10_000;
/** In an open list; typing finds the others. */
const maxChoices = 200;

/** Where the page was left, while this page of the browser is open. */
let lastId = "";

export function ServiceSchedulePage({ at }: PageProps): ReactNode {
  const { library, error, isFetching, refetch } = useLibrary();
  const screens = useScreens();
  const labels = useQuestion(
    "listScreenLabels",
    { serviceId: ownServiceId },
    { intervalMs: labelsIntervalMs },
  );
  const { isLoading } = screens;
  const all = useScreensInOrder(screens.all);
  const choices = useMemo(
    () => choicesOf(labels.data ?? [], all),
    [labels.data, all],
  );
  const isKnown = !isLoading && !labels.isPending;
  if (library && isKnown && library.playlists.length > 0) {
    const chosen = chosenOf(choices, at, lastId);
    return <ChosenWeek {...{ library, choices, chosen, screens }} />;
  }
  return (
    <PageFrame title={t("schedule.title")}>
      {library && isKnown ? (
        <NoPlaylists />
      ) : error ? (
        <ErrorAlert
          sentence={t("schedule.service.notLoaded")}
          reason={reasonOf(error)}
          isTrying={isFetching}
          onTryAgain={refetch}
        />
      ) : (
        <p className="quiet after-a-moment">{t("manager.loading")}</p>
      )}
    </PageFrame>
  );
}

function NoPlaylists(): ReactNode {
  const mayAdd = useMayRequest()("POST", "/playlists");
  return (
    <Empty
      icon={IconCalendarWeek}
      title={t("schedule.emptyTitle")}
      sentence={
        mayAdd
          ? t("schedule.emptyText")
          : t("playlists.service.emptyForViewers")
      }
    >
      {mayAdd ? (
        <Button component="a" href={addressOf("playlists")}>
          {t("schedule.addPlaylist")}
        </Button>
      ) : null}
    </Empty>
  );
}

interface ChosenProps {
  readonly library: Library;
  readonly choices: ScheduleChoices;
  readonly chosen: ScheduleChoice;
  readonly screens: AllScreens;
}

function ChosenWeek(props: ChosenProps): ReactNode {
  const { library, choices, chosen, screens } = props;
  const { input, views } = library;
  const { id, zone } = chosen;
  useEffect(() => {
    lastId = id;
  }, [id]);
  // The list of screens is another one every few seconds.
  const groups = chosen.groups.join(" ");
  const pdfPages = usePdfPages();
  const { planned, all } = useMemo(
    () =>
      weekOf({ input, views }, pdfPages, { zone, groups: groups.split(" ") }),
    [input, views, pdfPages, zone, groups],
  );
  const shown = useMemo<Library>(
    () => ({
      ...{ ...library, input: all },
      screen: { ...library.screen, zone, groups: all.groups },
    }),
    [library, all, zone],
  );
  const week = useServiceWeekOf(library, choices, chosen, screens.all);
  return (
    <ServiceWeekContext value={week}>
      <WeekPlan
        library={shown}
        planned={planned}
        note={
          <>
            <ScheduleTakeovers chosen={chosen} all={screens.all} />
            {chosen.isEnabled ? null : (
              <Text flex="1 0 100%">{t("screens.why.disabled")}</Text>
            )}
          </>
        }
        choice={
          <Select
            w={240}
            aria-label={t("schedule.service.choice")}
            searchable
            allowDeselect={false}
            limit={maxChoices}
            nothingFoundMessage={t("playlists.service.noSuchScreen")}
            data={choices.data}
            value={chosen.id}
            onChange={(id) => {
              if (id !== null) stayAt("schedule", id);
            }}
          />
        }
        empty={
          planned.playlists.length === 0 ? (
            <Empty
              icon={IconCalendarWeek}
              title={t("schedule.service.noneTitle", { name: chosen.name })}
              sentence={t("schedule.service.noneText")}
            >
              <Button component="a" href={addressOf("playlists")}>
                {t("schedule.service.toPlaylists")}
              </Button>
            </Empty>
          ) : null
        }
      />
    </ServiceWeekContext>
  );
}

const noPages: PdfPages = { pages: [], hiddenIds: new Set() };

/** Read with the assets, of which they are a part. */
function usePdfPages(): PdfPages {
  const { data } = useQuery({
    queryKey: [...keyOf("listAssets"), "pdf pages"],
    queryFn: async () => {
      const outcome = await assetList.read();
      return "list" in outcome ? outcome.list.pdfPages : null;
    },
    // A set is not JSON.
    structuralSharing: false,
  });
  return data ?? noPages;
}

function useServiceWeekOf(
  library: Library,
  { byId }: ScheduleChoices,
  { isScreen }: ScheduleChoice,
  all: AllScreens["all"],
): ServiceWeek {
  const { playlists } = library;
  return useMemo(() => {
    const groupsById = new Map(
      playlists.map((one) => [one.playlist_id, one.groups]),
    );
    const counts = new Map<string, number>();
    return {
      screenCountOf: (id) => {
        const known = counts.get(id);
        if (known !== undefined) return known;
        const count = screensOf(groupsById.get(id) ?? [], all).length;
        counts.set(id, count);
        return count;
      },
      groupNameOf: (id) => byId.get(id)?.name ?? null,
      zoneText: isScreen ? null : t("playlists.service.timesShown"),
    };
  }, [playlists, byId, isScreen, all]);
}
