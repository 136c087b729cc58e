// The schedule page of a player: its week, or what stands in its place while there are no playlists.

import { Button } from "@mantine/core";
import { IconCalendarWeek } from "@tabler/icons-react";
import type { ReactNode } from "react";
import { reasonOf } from "../api/reason.ts";
import { t } from "../../locales/messages.ts";
import { Empty } from "../components/layout/Empty.tsx";
import { PageFrame } from "../components/layout/PageFrame.tsx";
import { ErrorAlert } from "../components/outcomes/ErrorAlert.tsx";
import { addressOf } from "../place/navigation.ts";
import { useLibrary } from "../lineup/schedule-inputs.ts";
import { TakeoverNote } from "../takeover/TakeoverNote.tsx";
import { WeekPlan } from "./WeekPlan.tsx";

export function SchedulePage(): ReactNode {
  const { library, error, isFetching, refetch } = useLibrary();
  if (library && library.input.playlists.length > 0)
    return (
      <WeekPlan
        library={library}
        planned={library.input}
        note={<TakeoverNote />}
      />
    );
  return (
    <PageFrame title={t("schedule.title")}>
      {library ? (
        <Empty
          icon={IconCalendarWeek}
          title={t("schedule.emptyTitle")}
          sentence={t("schedule.emptyText")}
        >
          <Button component="a" href={addressOf("playlists")}>
            {t("schedule.addPlaylist")}
          </Button>
        </Empty>
      ) : error ? (
        <ErrorAlert
          sentence={t("schedule.notLoaded")}
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
