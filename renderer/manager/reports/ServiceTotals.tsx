// Playbacks of all screens of a content service by playlist, screen or label, longest first.

import { Box, Button, Table } from "@mantine/core";
import { useMemo, useState, type ReactNode } from "react";
import { formats } from "../../locales/language.ts";
import { t } from "../../locales/messages.ts";
import { reasonOf } from "../api/reason.ts";
import { lengthOf } from "../components/duration-text.ts";
import { TotalsHead } from "../components/layout/TotalsHead.tsx";
import { useQuestion } from "../api/manager-queries.ts";
import { can } from "../place/abilities.ts";
import { addressOf } from "../place/navigation.ts";
import { ownServiceId } from "../service-requests/own-service.ts";
import {
  namedTotals,
  type NamedTotal,
  type ReportSource,
  type ServiceView,
} from "./service-report.ts";
import { queryOf } from "./use-report-source.ts";

const rowsAtOnce = 50;
/** A playback is counted when its player has reported it. */
const refreshIntervalMs = 30_000;

const nameColumns = {
  playlist: t("reports.playlist"),
  screen: t("reports.screen"),
  group: t("reports.label"),
} as const;

export function ServiceTotals({
  source,
  view,
  from,
  to,
  label,
}: {
  readonly source: ReportSource;
  readonly view: ServiceView;
  readonly from: string;
  readonly to: string;
  readonly label: string;
}): ReactNode {
  const totals = useQuestion(
    "readPlaybackReport",
    { ...queryOf(source), from, to, by: [view] },
    { intervalMs: refreshIntervalMs },
  );
  const named = useMemo(
    () => totals.data && namedTotals(totals.data, view),
    [totals.data, view],
  );
  if (named) return <NamedTotals {...{ view, totals: named, label }} />;
  return (
    <p className="quiet after-a-moment">
      {totals.isError ? reasonOf(totals.error) : t("manager.loading")}
    </p>
  );
}

function NamedTotals({
  view,
  label,
  totals,
}: {
  readonly view: ServiceView;
  readonly label: string;
  readonly totals: readonly NamedTotal[];
}): ReactNode {
  const [limit, setLimit] = useState(rowsAtOnce);
  return (
    <>
      <Table style={{ whiteSpace: "nowrap" }} aria-label={label}>
        <TotalsHead
          columns={[
            { title: nameColumns[view] },
            { title: t("reports.playbacks"), isFigure: true },
            { title: t("reports.time"), isFigure: true },
          ]}
        />
        <Table.Tbody>
          {totals.slice(0, limit).map(({ playbacks, seconds, ...named }) => (
            <Table.Tr key={named.id}>
              <Table.Th
                scope="row"
                w="100%"
                miw={200}
                fw={500}
                style={{ whiteSpace: "normal", overflowWrap: "anywhere" }}
              >
                <Name total={named} view={view} />
              </Table.Th>
              <Table.Td ta="end">{formats.count(playbacks)}</Table.Td>
              <Table.Td ta="end">{lengthOf(seconds)}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
      {totals.length <= limit ? null : (
        <Button
          variant="default"
          mt={12}
          onClick={() => {
            setLimit(limit + rowsAtOnce);
          }}
        >
          {t("reports.showMore")}
        </Button>
      )}
    </>
  );
}

/** At the service itself, a link to what is still there. */
function Name({
  total: { id, name, knownName },
  view,
}: {
  readonly total: Pick<NamedTotal, "id" | "name" | "knownName">;
  readonly view: ServiceView;
}): ReactNode {
  if (can("player") || knownName === null || view === "group")
    return <bdi>{name}</bdi>;
  return (
    <Box
      component="a"
      c="var(--text)"
      href={
        view === "screen"
          ? addressOf("screens", `${ownServiceId}/${id}`)
          : addressOf("playlists", id)
      }
    >
      <bdi>{name}</bdi>
    </Box>
  );
}
