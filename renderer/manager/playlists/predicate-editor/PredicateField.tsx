// The predicate as text: its error marked at its position, its canonical form and its meaning in plain words next to it.

import { Button, Textarea } from "@mantine/core";
import { IconAlertTriangle, IconCheck } from "@tabler/icons-react";
import { useMemo, useRef, type ReactNode } from "react";
import type { PredicateProblem } from "../../../../server/core/predicate/predicate-problem.ts";
import { printPredicate } from "../../../../server/core/predicate/predicate-print.ts";
import type { Predicate } from "../../../../server/core/predicate/predicate.ts";
import { useMoment } from "../../components/use-moment.ts";
import { Panel } from "../../components/layout/Panel.tsx";
import { formatIn } from "../../schedule/formats.ts";
import { t } from "../../../locales/messages.ts";
import { nextPredicateChange } from "./next-predicate-change.ts";
import { inWords, sentenceOf } from "./predicate-text.ts";

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
      <div className="panel-note written">
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
            <p className="written-problem">
              <IconAlertTriangle size={18} aria-hidden />
              <span>
                {t("playlists.schedule.problem", {
                  position: problem.position + 1,
                  problem: sentenceOf(problem),
                })}
              </span>
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
            </p>
          ) : null}
          {predicate ? <Meaning {...props} predicate={predicate} /> : null}
        </div>
        {props.note}
        {isOther ? (
          <div className="written-steps">
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
            <p className="quiet">{t("playlists.schedule.notApplied")}</p>
          </div>
        ) : null}
      </div>
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
      <dt>{t("playlists.schedule.inWords")}</dt>
      <dd>{inWords(text, zone)}</dd>
      <dt>{t("playlists.preview.now")}</dt>
      <dd>
        {nextChange.holds
          ? at === null
            ? t("playlists.schedule.alwaysTrue")
            : t("playlists.schedule.trueUntil", { time: at })
          : at === null
            ? t("playlists.schedule.neverTrue")
            : t("playlists.schedule.nextTrue", { time: at })}
      </dd>
      {canonical === text ? null : (
        <>
          <dt>{t("playlists.schedule.canonical")}</dt>
          <dd className="canonical">
            <button
              type="button"
              onClick={() => {
                onText(canonical);
              }}
            >
              <code dir="ltr">{canonical}</code>
            </button>
          </dd>
        </>
      )}
      {predicate.mixedAt === null ? null : (
        <>
          <dt>
            <IconAlertTriangle size={16} aria-hidden />
          </dt>
          <dd data-tone="waiting">{t("playlists.schedule.mixed")}</dd>
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
