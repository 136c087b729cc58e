// Parses query string and headers into a request: syntax only, without knowledge of any table.

import { formFrom, type Form } from "./accept.ts";
import { readFieldPath, readName, readText } from "./cursor.ts";
import {
  conditionsIn,
  parseLogic,
  parseQuestion,
  type Logic,
} from "./filter-syntax.ts";
import { limits } from "./request-limits.ts";
import { parsePrefer, type Preferences } from "./prefer.ts";
import { parseQuery, type Pair } from "./query-text.ts";
import { windowFrom, withinRange, type Window } from "./range.ts";
import { tooComplex } from "../../http/v4-errors.ts";
import {
  parseNames,
  parseOrder,
  parseSelect,
  type OrderTerm,
  type SelectItem,
} from "./select-syntax.ts";

/** The embedded resource it applies to: `["playlist_items", "assets"]`; empty is the table itself. */
export type Target = readonly string[];

export interface Targeted<T> {
  readonly target: Target;
  readonly value: T;
}

export interface RequestV4 {
  readonly select: readonly SelectItem[];
  readonly filters: readonly Targeted<Logic>[];
  readonly orders: readonly Targeted<readonly OrderTerm[]>[];
  /** Windows of embedded resources. */
  readonly windows: readonly Targeted<Window>[];
  readonly window: Window;
  readonly columns: readonly string[] | null;
  readonly onConflict: readonly string[] | null;
  readonly prefer: Preferences;
  readonly form: Form;
}

export interface RequestText {
  readonly method: string;
  /** The part after the question mark. */
  readonly query: string;
  readonly headers: {
    readonly accept?: string | undefined;
    readonly prefer?: string | undefined;
    readonly range?: string | undefined;
  };
}

export function parseRequest({
  method,
  query,
  headers,
}: RequestText): RequestV4 {
  const pairs = parseQuery(query);
  const named = (name: string): string | undefined =>
    pairs.find(([each]) => each === name)?.[1];
  const last = (name: string): string | undefined =>
    pairs.findLast(([each]) => each === name)?.[1];
  const rest = pairs
    .filter(([name]) => !reservedNames.has(name))
    .map(parsePair);
  const filters = rest.flatMap(({ filter }) => filter ?? []);
  const conditions = filters.reduce(
    (sum, { value }) => sum + conditionsIn(value),
    0,
  );
  if (conditions > limits.conditions)
    throw tooComplex(
      `A request may have at most ${limits.conditions} filters.`,
    );
  const order = named("order");
  const columns = named("columns");
  const onConflict = named("on_conflict");
  const window = windowFrom(last("limit"), last("offset"));
  return {
    select: parseSelect(named("select") ?? ""),
    filters,
    orders: [
      ...(order === undefined
        ? []
        : [{ target: [], value: parseOrder(order) }]),
      ...rest.flatMap(({ order: each }) => each ?? []),
    ],
    windows: windowsFrom(rest.flatMap(({ bound }) => bound ?? [])),
    window: method === "GET" ? withinRange(window, headers.range) : window,
    columns: columns === undefined ? null : parseNames("columns", columns),
    onConflict: onConflict ? parseNames("on_conflict", onConflict) : null,
    prefer: parsePrefer(headers.prefer),
    form: formFrom(headers.accept),
  };
}

const reservedNames = new Set([
  "select",
  "order",
  "limit",
  "offset",
  "columns",
  "on_conflict",
]);

interface Bound {
  readonly target: Target;
  readonly name: "limit" | "offset";
  readonly text: string;
}

interface Parsed {
  readonly filter?: Targeted<Logic>;
  readonly order?: Targeted<readonly OrderTerm[]>;
  readonly bound?: Bound;
}

/** `title`, `metadata->>k`, `assets.title`, `or`, `not.and`, `assets.or`, `assets.order`, `assets.limit`. */
function parsePair([name, value]: Pair): Parsed {
  const cursor = readText("filter", name);
  const target: string[] = [];
  for (;;) {
    const start = cursor.place();
    const word = readName(cursor);
    if (cursor.take(".")) {
      target.push(word);
      continue;
    }
    cursor.goTo(start);
    break;
  }
  const field = readFieldPath(cursor);
  if (!cursor.isAtEnd()) cursor.fail("end of the field's name");
  if (field.json.length === 0) {
    const word = field.column;
    if (word === "and" || word === "or") {
      const isNegated = target.at(-1) === "not";
      return {
        filter: {
          target: isNegated ? target.slice(0, -1) : target,
          value: parseLogic(word, isNegated, value),
        },
      };
    }
    if (target.length > 0) {
      if (word === "order")
        return { order: { target, value: parseOrder(value) } };
      if (word === "limit" || word === "offset")
        return { bound: { target, name: word, text: value } };
    }
  }
  return {
    filter: {
      target,
      value: { kind: "filter", field, ...parseQuestion(value) },
    },
  };
}

/** The last of each counts, as at the top level. */
function windowsFrom(bounds: readonly Bound[]): readonly Targeted<Window>[] {
  const targets = new Map(
    bounds.map(({ target }) => [target.join("."), target]),
  );
  return [...targets].map(([key, target]) => {
    const last = (name: Bound["name"]): string | undefined =>
      bounds.findLast(
        (each) => each.name === name && each.target.join(".") === key,
      )?.text;
    return { target, value: windowFrom(last("limit"), last("offset")) };
  });
}
