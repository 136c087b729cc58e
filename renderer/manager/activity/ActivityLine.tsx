// One line of an activity list: when, what, of which thing, and who made the change with the values before and after it.

import { Box, Flex } from "@mantine/core";
import type { Icon } from "@tabler/icons-react";
import type { ReactNode } from "react";
import { formats } from "../../locales/language.ts";
import { t } from "../../locales/messages.ts";

interface Props {
  /** ISO text. */
  readonly time: string;
  readonly sign: Icon;
  readonly isFault?: boolean;
  /** Precedes the text. */
  readonly mark?: string | null;
  readonly text: string;
  /** Of the thing; empty where the text says all. */
  readonly name: string;
  /** Where the thing is. */
  readonly link: { readonly href: string; readonly title: string } | null;
  readonly details: string;
  /** Who, and the values. */
  readonly children?: ReactNode;
}

export function ActivityLine(props: Props): ReactNode {
  const { time, sign: Sign, isFault = false, mark = null, text } = props;
  const { name, link, details, children } = props;
  return (
    <div className="activity-line" data-tone={isFault ? "fault" : "plain"}>
      <time dateTime={time} className="quiet figures">
        <bdi>{formats.time(Date.parse(time))}</bdi>
      </time>
      <Sign size={18} stroke={1.75} aria-hidden />
      <div className="activity-words">
        {mark === null ? null : (
          <>
            <strong className="activity-mark small" data-tone="waiting">
              {mark}
            </strong>{" "}
          </>
        )}
        <span>
          {text}
          {name === "" && details !== "" ? ":" : ""}
        </span>{" "}
        {name === "" ? null : link === null ? (
          <bdi className="activity-name">{name}</bdi>
        ) : (
          <a href={link.href} title={link.title} className="activity-name">
            <bdi>{name}</bdi>
          </a>
        )}
        {name === "" || details === "" ? " " : ": "}
        {details === "" ? null : <bdi className="quiet">{details}</bdi>}
        {children}
      </div>
    </div>
  );
}

interface ChangedThing {
  readonly id: string | number;
  readonly name: string;
  readonly changes: readonly {
    readonly field: string;
    readonly before: Value;
    readonly after: Value;
  }[];
}

type Value = string | number | boolean | null;

interface OriginProps {
  /** Null: not known. */
  readonly who: string | null;
  readonly things: readonly ChangedThing[];
  readonly fieldText: (field: string) => string;
  /** Of a value that is a code; undefined for any other. */
  readonly codeText?: (field: string, value: string) => string | undefined;
}

/** Who made the change and, when opened, the values before and after it: of many things on one line, with their names. */
export function Origin(props: OriginProps): ReactNode {
  const { who, fieldText, codeText } = props;
  const shown = (field: string, value: Value): string =>
    (typeof value === "string" ? codeText?.(field, value) : undefined) ??
    valueText(value);
  const things = props.things.filter(({ changes }) => changes.length > 0);
  if (things.length === 0)
    return <bdi className="activity-origin quiet">{who}</bdi>;
  return (
    <details className="activity-origin quiet">
      <summary>
        <bdi>{who ?? t("activity.changes")}</bdi>
      </summary>
      <Box component="dl" mt={4} aria-label={t("activity.changes")}>
        {things.flatMap(({ id, name, changes }) =>
          changes.map(({ field, before, after }, index) => (
            <Flex key={`${id} ${index}`} wrap="wrap" columnGap={8}>
              <Box component="dt" miw={120}>
                {things.length > 1 ? (
                  <>
                    <bdi>{name}</bdi> ·{" "}
                  </>
                ) : null}
                {fieldText(field)}
              </Box>
              <Box component="dd" miw={0}>
                <bdi>{shown(field, before)}</bdi> <span aria-hidden>→</span>{" "}
                <bdi>{shown(field, after)}</bdi>
              </Box>
            </Flex>
          )),
        )}
      </Box>
    </details>
  );
}

function valueText(value: Value): string {
  if (typeof value === "boolean")
    return value ? t("activity.values.yes") : t("activity.values.no");
  return value === null || value === "" ? "–" : String(value);
}
