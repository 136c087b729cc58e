// The plan of a request: names resolved against the catalogue, values converted to their types, independent of the
// database.

import type { WordQuery } from "../../../platform/text/word-match.ts";
import type { JsonStep } from "../../../platform/text/json-compare.ts";
import type { Column, Table } from "../../catalogue.ts";
import type { IsWord } from "../parse/filter-syntax.ts";
import type { Window } from "../parse/range.ts";
import type { Value } from "./values.ts";

/** A column of a row, or a path in its JSON. */
export interface Expression {
  readonly alias: string;
  /** Base of file addresses for the client. */
  readonly base: string;
  readonly table: string;
  readonly column: Column;
  readonly path: readonly JsonStep[];
  /** Type of the result. */
  readonly type: Column["type"];
}

export type Comparison = "=" | "<>" | ">" | ">=" | "<" | "<=";

export type Condition =
  | {
      readonly kind: "compare";
      readonly expression: Expression;
      readonly operator: Comparison | "is distinct from";
      /** Null is NULL. */
      readonly value: Value | null;
    }
  | {
      readonly kind: "in";
      readonly expression: Expression;
      readonly values: readonly Value[];
    }
  | {
      readonly kind: "is";
      readonly expression: Expression;
      readonly word: IsWord;
    }
  | {
      readonly kind: "like";
      readonly expression: Expression;
      /** With % and _, escaped by a backslash. */
      readonly pattern: string | null;
      readonly isCaseIgnored: boolean;
    }
  | {
      readonly kind: "match";
      readonly expression: Expression;
      readonly pattern: string | null;
    }
  | {
      readonly kind: "words";
      readonly expression: Expression;
      readonly query: WordQuery | null;
    }
  | {
      readonly kind: "contains";
      readonly expression: Expression;
      readonly value: Value;
      readonly isContained: boolean;
    }
  | {
      readonly kind: "and" | "or";
      readonly members: readonly Condition[];
    }
  | { readonly kind: "not"; readonly condition: Condition }
  | { readonly kind: "exists"; readonly embedding: Embedding };

/** How the rows of a relation are found from a row of the parent level. */
export interface Join {
  /** Columns of this level, and the columns they equal. */
  readonly pairs: readonly {
    readonly column: string;
    readonly equals: { readonly alias: string; readonly column: string };
  }[];
  /** The linking table of a many-to-many relation. */
  readonly through: {
    readonly table: string;
    readonly alias: string;
    readonly teamColumn: string;
    readonly pairs: readonly {
      readonly column: string;
      readonly equals: { readonly alias: string; readonly column: string };
    }[];
  } | null;
}

export interface Embedding {
  readonly name: string;
  readonly level: Level;
  readonly join: Join;
  readonly isToOne: boolean;
  readonly isInner: boolean;
  readonly isSpread: boolean;
}

export type Output =
  | {
      readonly kind: "value";
      readonly name: string;
      readonly expression: Expression;
      readonly cast: Cast | null;
    }
  | { readonly kind: "embedding"; readonly embedding: Embedding }
  /** The number of rows, in place of the rows. */
  | { readonly kind: "count"; readonly name: string };

/** `date` and `text` apply to any type; the others convert among numbers, flags and texts. */
export type Cast = "text" | "integer" | "decimal" | "flag" | "date";

export interface OrderBy {
  readonly expression: Expression;
  /** A column of the one related row, instead of this one. */
  readonly through: Embedding | null;
  readonly isDescending: boolean;
  readonly areNullsFirst: boolean;
}

/** One table of a request with everything requested of it. */
export interface Level {
  readonly table: Table;
  readonly alias: string;
  readonly team: string;
  /** The time zone in which its moments are shown; null is UTC. */
  readonly zone: string | null;
  readonly outputs: readonly Output[];
  /** Includes those that only restrict or order and are not shown. */
  readonly embeddings: readonly Embedding[];
  readonly conditions: readonly Condition[];
  readonly order: readonly OrderBy[];
  readonly window: Window;
  /** Restricts to rows of these keys, selected before. */
  readonly keys?: readonly string[];
}
