// Reasons table: every playlist and every item of it, with the verdict and its reason; what plays comes first.

import { ActionIcon, Box, Flex, Table, VisuallyHidden } from "@mantine/core";
import {
  IconArrowDownCircle,
  IconCircleDashed,
  IconChevronDown,
  IconClockOff,
  IconPlayerPlayFilled,
  IconPower,
  IconUrgent,
  type Icon,
} from "@tabler/icons-react";
import { useMediaQuery } from "@mantine/hooks";
import { memo, useMemo, useState, type ReactNode } from "react";
import type {
  Candidate,
  ReasonCode,
} from "../../../server/core/schedule/schedule.ts";
import type { WhyV2 } from "../../../server/contract/v2/v2-screen.ts";
import { t } from "../../locales/messages.ts";
import { reasonText } from "./reasons.ts";

interface Props {
  readonly candidates: readonly Candidate[];
  /** The player's own verdicts, once it has answered. */
  readonly reported: readonly WhyV2["candidates"][number][];
  readonly zone: string;
  /** The predicate of each playlist in words. */
  readonly rules: ReadonlyMap<string, string>;
  /** A takeover covers the screen at that moment: scheduled content is not visible. */
  readonly isCovered: boolean;
}

interface Group {
  readonly playlist: Candidate;
  readonly items: readonly Candidate[];
}

const signs: Readonly<Record<ReasonCode, Icon>> = {
  plays: IconPlayerPlayFilled,
  outranked: IconArrowDownCircle,
  "predicate-false": IconClockOff,
  "outside-dates": IconClockOff,
  "outside-hours": IconClockOff,
  disabled: IconPower,
  "other-groups": IconCircleDashed,
  "not-on-disk": IconCircleDashed,
  quarantined: IconCircleDashed,
  "playlist-empty": IconCircleDashed,
};

const needsAttention = { c: "var(--waiting)", fw: 600 };
const verdictStyle: Readonly<Partial<Record<ReasonCode, object>>> = {
  plays: { c: "var(--accent)", fw: 600 },
  "playlist-empty": needsAttention,
  "not-on-disk": needsAttention,
  quarantined: needsAttention,
};

/** What plays, what would play, what needs attention, and what waits for its time. */
const ranks: Readonly<Record<ReasonCode, number>> = {
  ...{ plays: 0, outranked: 1, "playlist-empty": 2, "not-on-disk": 2 },
  ...{ quarantined: 2, "outside-dates": 3, "outside-hours": 3 },
  ...{ "predicate-false": 3, "other-groups": 4, disabled: 5 },
};

export const WhyTable = memo(function WhyTable({
  candidates,
  reported,
  zone,
  rules,
  isCovered,
}: Props): ReactNode {
  const groups = useMemo(() => groupsOf(candidates), [candidates]);
  // There it stands beneath the name, and its title is read aloud only.
  const isPhone = useMediaQuery("(width < 760px)");
  const playing = groups.filter(
    ({ playlist }) => playlist.reason.code === "plays",
  ).length;
  const candidateById = useMemo(
    () => new Map(reported.map((one) => [`${one.kind}:${one.id}`, one])),
    [reported],
  );
  return (
    <div
      className="why"
      tabIndex={0}
      role="region"
      aria-label={t("schedule.whyTable")}
    >
      <Table stickyHeader verticalSpacing={4} tabularNums={false}>
        <Table.Thead bg="var(--panel)" c="dimmed" fz={13}>
          <Table.Tr>
            <Table.Th scope="col" py={8} fw={400}>
              {t("schedule.playlist")}
            </Table.Th>
            <Table.Th scope="col" py={8} fw={400}>
              {t("schedule.verdict")}
            </Table.Th>
            <Table.Th scope="col" py={8} fw={400}>
              {isPhone ? (
                <VisuallyHidden>{t("schedule.reason")}</VisuallyHidden>
              ) : (
                t("schedule.reason")
              )}
            </Table.Th>
          </Table.Tr>
        </Table.Thead>
        {groups.map((group) => (
          <Rows
            key={group.playlist.id}
            group={group}
            candidateById={candidateById}
            {...{ zone, rules, isCovered }}
            others={playing - 1}
          />
        ))}
      </Table>
    </div>
  );
});

function groupsOf(candidates: readonly Candidate[]): readonly Group[] {
  const groups: { playlist: Candidate; items: Candidate[] }[] = [];
  for (const candidate of candidates)
    if (candidate.kind === "playlist")
      groups.push({ playlist: candidate, items: [] });
    else groups.at(-1)?.items.push(candidate);
  return groups
    .filter(
      ({ playlist, items }) => playlist.playlistId !== null || items.length > 0,
    )
    .sort(
      (a, b) => ranks[a.playlist.reason.code] - ranks[b.playlist.reason.code],
    );
}

interface RowsProps {
  readonly group: Group;
  readonly candidateById: ReadonlyMap<string, WhyV2["candidates"][number]>;
  readonly zone: string;
  readonly rules: Props["rules"];
  readonly isCovered: boolean;
  readonly others: number;
}

function Rows(props: RowsProps): ReactNode {
  const { group, candidateById, zone, rules, isCovered, others } = props;
  const { playlist, items } = group;
  const [isOpen, setOpen] = useState(false);
  const name =
    playlist.playlistId === null ? t("schedule.localAssets") : playlist.name;
  return (
    <Table.Tbody>
      <Row
        candidate={playlist}
        name={name}
        {...{ candidateById, zone, rules, isCovered, others }}
      >
        {items.length > 0 ? (
          <ActionIcon
            className="why-open"
            size={32}
            aria-expanded={isOpen}
            aria-label={t("schedule.showItems", { name })}
            onClick={() => {
              setOpen(!isOpen);
            }}
          >
            <IconChevronDown size={16} aria-hidden />
          </ActionIcon>
        ) : (
          <Box component="span" flex="none" w={32} />
        )}
      </Row>
      {isOpen
        ? items.map((item) => (
            <Row
              key={item.id}
              candidate={item}
              name={item.name}
              {...{ candidateById, zone, rules, isCovered }}
              others={0}
            />
          ))
        : null}
    </Table.Tbody>
  );
}

interface RowProps {
  readonly candidate: Candidate;
  readonly name: string;
  readonly candidateById: RowsProps["candidateById"];
  readonly zone: string;
  readonly rules: Props["rules"];
  readonly isCovered: boolean;
  readonly others: number;
  readonly children?: ReactNode;
}

function Row(props: RowProps): ReactNode {
  const { candidate, name, candidateById, zone, rules, others, children } =
    props;
  const { kind, id, playlistId, reason } = candidate;
  // What only the player knows, such as quarantine, takes precedence over the manager's own calculation.
  const reported = candidateById.get(`${kind}:${id}`);
  const isOther = reported !== undefined && reported.reason === "quarantined";
  const code = isOther ? reported.reason : reason.code;
  const isHidden = props.isCovered && code === "plays";
  const Sign = isHidden ? IconUrgent : signs[code];
  return (
    <Table.Tr
      // Each playlist is a group of rows of its own.
      style={{ borderBlockEnd: "1px solid var(--line)" }}
      data-kind={kind}
      data-verdict={isHidden ? "covered" : code}
    >
      <Table.Th
        scope="row"
        miw={120}
        {...(kind === "playlist"
          ? { fw: 550 }
          : { fw: 400, ps: 60, c: "dimmed" })}
      >
        <Flex align="center" gap={8} component="span" mih={32}>
          {children}
          <span>
            <bdi>{name}</bdi>
          </span>
        </Flex>
      </Table.Th>
      <Table.Td>
        <Flex
          component="span"
          align="center"
          gap={6}
          style={{ whiteSpace: "nowrap" }}
          {...(!isHidden && verdictStyle[code])}
        >
          <Sign size={16} aria-hidden />
          {isHidden ? t("schedule.covered") : t(`schedule.verdicts.${code}`)}
        </Flex>
      </Table.Td>
      <Table.Td>
        {isHidden
          ? t("schedule.coveredReason")
          : isOther
            ? t("schedule.reasons.quarantined")
            : reasonText(
                reason,
                zone,
                others,
                rules.get(playlistId ?? "") ?? "",
              )}
      </Table.Td>
    </Table.Tr>
  );
}
