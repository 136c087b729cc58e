// Totals of outages by screen, label or month, with their causes.

import { Button, SegmentedControl, Table } from "@mantine/core";
import { useMediaQuery } from "@mantine/hooks";
import { useState, type ReactNode } from "react";
import {
  outageGroupings,
  type OutageGrouping,
  type OutageTotalV3,
} from "../../../../server/contract/v3/v3-outages.ts";
import { formats, language } from "../../../locales/language.ts";
import { t } from "../../../locales/messages.ts";
import { lengthOf } from "../../components/duration-text.ts";
import { TotalsHead } from "../../components/layout/TotalsHead.tsx";
import { causesText } from "./outage-text.ts";

interface Props {
  readonly by: OutageGrouping;
  readonly onBy: (by: OutageGrouping) => void;
  /** Undefined until they are known. */
  readonly totals: readonly OutageTotalV3[] | undefined;
}

/** Those with the most time; the file has all. */
const maxShown = 8;

export function OutageTotals({ by, onBy, totals }: Props): ReactNode {
  const isPhone = useMediaQuery("(width < 760px)");
  const [isWhole, setIsWhole] = useState(false);
  const sorted =
    by === "month"
      ? [...(totals ?? [])].reverse()
      : [...(totals ?? [])].sort(
          (a, b) => b.duration_seconds - a.duration_seconds,
        );
  const shown = isWhole ? sorted : sorted.slice(0, maxShown);
  return (
    <>
      <SegmentedControl
        mb={8}
        orientation={isPhone ? "vertical" : "horizontal"}
        aria-label={t("screens.outages.totalsView")}
        data={outageGroupings.map((value) => ({
          ...{ value, label: t(`screens.outages.by.${value}`) },
        }))}
        value={by}
        onChange={(value) => {
          onBy(value);
          setIsWhole(false);
        }}
      />
      {totals === undefined ? (
        <p className="quiet after-a-moment">{t("manager.loading")}</p>
      ) : (
        <Table
          className="outage-totals"
          horizontalSpacing={isPhone ? 6 : 12}
          aria-label={t(`screens.outages.by.${by}`)}
        >
          <TotalsHead
            columns={[
              { title: t(`screens.outages.names.${by}`) },
              { title: t("screens.outages.count"), isFigure: true },
              { title: t("screens.outages.time"), isFigure: true },
              { title: t("screens.outages.causesColumn"), visibleFrom: "xs" },
            ]}
          />
          <Table.Tbody>
            {shown.map((total) => (
              <Table.Tr key={total.id ?? ""}>
                <Table.Th scope="row" miw={{ xs: 140 }} fw={500}>
                  <bdi>{nameOf(total, by)}</bdi>
                </Table.Th>
                <Table.Td ta="end">{formats.count(total.outages)}</Table.Td>
                <Table.Td ta="end" className="one-line">
                  {lengthOf(total.duration_seconds)}
                </Table.Td>
                <Table.Td c="dimmed" visibleFrom="xs">
                  {causesText(total)
                    .map(({ cause, outages: count }) =>
                      t("screens.outages.causeCount", {
                        cause: t(`screens.outages.causes.${cause}`),
                        count,
                      }),
                    )
                    .join(" · ")}
                </Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      )}
      {sorted.length > shown.length ? (
        <Button
          variant="default"
          mt={12}
          onClick={() => {
            setIsWhole(true);
          }}
        >
          {t("screens.outages.showMore")}
        </Button>
      ) : null}
    </>
  );
}

const months = new Intl.DateTimeFormat(language, {
  ...({ month: "long", year: "numeric", timeZone: "UTC" } as const),
});

function nameOf({ name }: OutageTotalV3, by: OutageGrouping): string {
  if (name === null) return t("screens.outages.noLabel");
  return by === "month" && /^\d{4}-\d{2}$/.test(name)
    ? months.format(Date.parse(`${name}-01T00:00:00Z`))
    : name;
}
