// The predicate as text: its error marked at its position, its canonical form and its meaning in plain words next to it.

import { Box, Button, Flex, Group, Stack, Text, Textarea } from "@mantine/core";
import { IconAlertTriangle, IconCheck } from "@tabler/icons-react";
import { useMemo, useRef, type ReactNode } from "react";
import type { PredicateProblem } from "../../../../server/core/predicate/predicate-problem.ts";
import { printPredicate } from "../../../../server/core/predicate/predicate-print.ts";
import type { Predicate } from "../../../../server/core/predicate/predicate.ts";
import { useMoment } from "../../components/use-moment.ts";
import { Panel } from "../../components/layout/Panel.tsx";
import { formatIn } from "../../components/screen-time/screen-time-formats.ts";
import { can } from "../../place/abilities.ts";
import { t } from "../../../locales/messages.ts";
import { nextPredicateChange } from "./next-predicate-change.ts";
import { inWords, sentenceOf } from "../../predicates/predicate-text.ts";

interface Props {
  readonly text: string;
  /** The predicate the player uses. */
  readonly stored: string;
  readonly predicate: Predicate | null;
  readonly problem: PredicateProblem | null;
  readonly zone: string;
  /** The field's `ref`. */
  readonly attach: (field: HTMLTextAreaElement | null) => void;
  /** Notice about what was stored from elsewhere meanwhile. */
  readonly note: ReactNode;
  readonly onText: (text: string) => void;
  readonly onRevert: () => void;
  readonly onApply: (text: string) => void;
}

export function Written(props: Props): ReactNode {
  const { text, stored, predicate, problem, onText, onRevert, onApply } = props;
  const { attach } = props;
  const field = useRef<HTMLTextAreaElement>(null);
  const isOther = text !== stored;
  const canApply = predicate !== null && isOther;
  return (
    <Panel
      title={t("playlists.schedule.text")}
      about={t("playlists.schedule.textHelp")}
    >
      <Stack className="panel-note" gap={12}>
        <div className="written-field" dir="ltr">
          <Marked text={text} problem={problem} field={field} />
          <Textarea
            ref={(element) => {
              field.current = element;
              attach(element);
            }}
            aria-label={t("playlists.schedule.predicate")}
            aria-invalid={problem !== null}
            aria-describedby="predicate-verdict"
            autosize
            minRows={2}
            spellCheck={false}
            value={text}
            onChange={(event) => {
              onText(event.currentTarget.value);
            }}
            onKeyDown={(event) => {
              if (event.key === "Enter" && event.ctrlKey && canApply)
                onApply(text);
              if (event.key === "Escape" && isOther) {
                event.stopPropagation();
                onRevert();
              }
            }}
          />
        </div>
        <div id="predicate-verdict" aria-live="polite">
          {problem ? (
            <Flex
              wrap="wrap"
              align="center"
              gap={8}
              component="p"
              c="var(--fault)"
            >
              <IconAlertTriangle size={18} aria-hidden />
              <Text component="span" flex="1 1 200px">
                {t("playlists.schedule.problem", {
                  position: problem.position + 1,
                  problem: sentenceOf(problem),
                })}
              </Text>
              <Button
                variant="default"
                size="compact-sm"
                h={32}
                onClick={() => {
                  field.current?.focus();
                  field.current?.setSelectionRange(
                    problem.position,
                    endOfMark(text, problem.position),
                  );
                }}
              >
                {t("playlists.schedule.goToProblem")}
              </Button>
            </Flex>
          ) : null}
          {predicate ? <Meaning {...props} predicate={predicate} /> : null}
        </div>
        {props.note}
        {isOther ? (
          <Group gap="8px 12px">
            <Button
              disabled={!canApply}
              leftSection={<IconCheck size={16} aria-hidden />}
              onClick={() => {
                onApply(text);
              }}
            >
              {t("playlists.schedule.apply")}
            </Button>
            <Button variant="default" onClick={onRevert}>
              {t("playlists.schedule.revert")}
            </Button>
            <p className="quiet">
              {t(
                can("player")
                  ? "playlists.schedule.notApplied"
                  : "playlists.service.notApplied",
              )}
            </p>
          </Group>
        ) : null}
      </Stack>
    </Panel>
  );
}

/** Updated often enough for minutes. */
const intervalMs = 20_000;

function Meaning(props: Props & { readonly predicate: Predicate }): ReactNode {
  const { text, predicate, zone, onText } = props;
  const moment = useMoment(intervalMs);
  const canonical = useMemo(() => printPredicate(predicate.tree), [predicate]);
  const nextChange = useMemo(
    () => nextPredicateChange(predicate, zone, moment),
    [predicate, zone, moment],
  );
  const at =
    nextChange.at === null ? null : formatIn(zone).dayAndTime(nextChange.at);
  return (
    <dl className="meaning">
      <Text component="dt" c="dimmed">
        {t("playlists.schedule.inWords")}
      </Text>
      <Text component="dd">{inWords(text, zone)}</Text>
      {/* The screens of a content service may be in different time zones. */}
      {can("player") ? (
        <>
          <Text component="dt" c="dimmed">
            {t("playlists.preview.now")}
          </Text>
          <Text component="dd">
            {nextChange.holds
              ? at === null
                ? t("playlists.schedule.alwaysTrue")
                : t("playlists.schedule.trueUntil", { time: at })
              : at === null
                ? t("playlists.schedule.neverTrue")
                : t("playlists.schedule.nextTrue", { time: at })}
          </Text>
        </>
      ) : null}
      {canonical === text ? null : (
        <>
          <Text component="dt" c="dimmed">
            {t("playlists.schedule.canonical")}
          </Text>
          <Text component="dd">
            <Box
              component="button"
              p={0}
              bg="none"
              c="var(--accent)"
              ta="start"
              style={{ border: 0, cursor: "pointer" }}
              type="button"
              onClick={() => {
                onText(canonical);
              }}
            >
              <code dir="ltr">{canonical}</code>
            </Box>
          </Text>
        </>
      )}
      {predicate.mixedAt === null ? null : (
        <>
          <Text component="dt" c="dimmed">
            <IconAlertTriangle size={16} aria-hidden />
          </Text>
          <Text component="dd" data-tone="waiting">
            {t("playlists.schedule.mixed")}
          </Text>
        </>
      )}
    </dl>
  );
}

/** The word at the position, or the single character. */
function endOfMark(text: string, position: number): number {
  const word = /^[\p{L}\p{N}_.$-]+/u.exec(text.slice(position))?.[0];
  return Math.min(text.length, position + (word?.length ?? 1));
}

interface MarkedProps {
  readonly text: string;
  readonly problem: PredicateProblem | null;
  readonly field: React.RefObject<HTMLTextAreaElement | null>;
}

/** Lies beneath the field with the same letters, so that the mark is exactly at the error. */
function Marked({ text, problem }: MarkedProps): ReactNode {
  const [place, end] = problem
    ? [problem.position, endOfMark(text, problem.position)]
    : [text.length, text.length];
  return (
    <div className="written-mark" aria-hidden>
      {text.slice(0, place)}
      {problem ? <mark>{text.slice(place, end) || "\u00a0"}</mark> : null}
      {text.slice(end)}
    </div>
  );
}
