// Syntax tree of a predicate: each part with its position in the text.

export type Variable = "$DATE" | "$TIME" | "$WEEKDAY";
export type Relation = "<=" | ">=" | "<" | ">" | "=";

/** A 64-bit integer as written; no clock shows numbers so large that the digits lost in `value` would matter. */
export interface Literal {
  /** Canonical digits. */
  readonly digits: string;
  readonly value: number;
  /** The calendar day, counted from 1970, if it is a whole multiple of a day's milliseconds. */
  readonly day: number | null;
}

/** In UTF-16 units: from the first to before the second. */
interface Place {
  readonly from: number;
  readonly to: number;
}

export type TestNode = Place & { readonly variable: Variable } & (
    | {
        readonly kind: "compare";
        readonly relation: Relation;
        readonly literal: Literal;
      }
    | {
        readonly kind: "between";
        readonly least: Literal;
        readonly most: Literal;
      }
    | { readonly kind: "in"; readonly members: readonly Literal[] }
  );

export type PredicateNode =
  | (Place & { readonly kind: "constant"; readonly value: boolean })
  | (Place & { readonly kind: "not"; readonly part: PredicateNode })
  | (Place & {
      readonly kind: "and" | "or";
      /** Two or more. */
      readonly parts: readonly PredicateNode[];
    })
  | TestNode;

/** What a limit is compared with: the calendar day, the instant, the time of day or the weekday. */
export type Axis = "day" | "moment" | "timeMs" | "weekday";

/** True from the first to before the second value. */
export interface Limit {
  readonly axis: Axis;
  readonly from: number;
  readonly until: number;
}

/** The limits of a test: all must hold (a comparison, BETWEEN), or any (IN). */
export function limitsOf(test: TestNode): {
  readonly join: "all" | "any";
  readonly limits: readonly Limit[];
} {
  const { variable } = test;
  if (test.kind === "compare")
    return {
      join: "all",
      limits: [limitOf(variable, test.relation, test.literal)],
    };
  if (test.kind === "between")
    return {
      join: "all",
      limits: [
        limitOf(variable, ">=", test.least),
        limitOf(variable, "<=", test.most),
      ],
    };
  return {
    join: "any",
    limits: test.members.map((member) => limitOf(variable, "=", member)),
  };
}

function limitOf(
  variable: Variable,
  relation: Relation,
  literal: Literal,
): Limit {
  const axis = axisOf(variable, literal);
  const value = axis === "day" ? (literal.day ?? 0) : literal.value;
  switch (relation) {
    case "=":
      return { axis, from: value, until: value + 1 };
    case ">=":
      return { axis, from: value, until: Infinity };
    case ">":
      return { axis, from: value + 1, until: Infinity };
    case "<=":
      return { axis, from: -Infinity, until: value + 1 };
    case "<":
      return { axis, from: -Infinity, until: value };
  }
}

/** With $DATE, each literal decides for itself whether it is a day or an instant. */
function axisOf(variable: Variable, literal: Literal): Axis {
  if (variable === "$TIME") return "timeMs";
  if (variable === "$WEEKDAY") return "weekday";
  return literal.day === null ? "moment" : "day";
}
