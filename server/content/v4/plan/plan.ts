// What a request means: names found in the catalogue, values of their types, nothing of any database yet.

import type { WordQuery } from "../../../platform/text/word-match.ts";
import type { JsonStep } from "../../../platform/text/json-compare.ts";
import type { Column, Table } from "../../catalogue.ts";
import type { IsWord } from "../parse/filter-syntax.ts";
import type { Window } from "../parse/range.ts";
import type { Value } from "./values.ts";

/** A column of a row, or what stands in its JSON. */
export interface Expression {
  readonly alias: string;
  /** Where addresses of files begin for who asks. */
  readonly base: string;
  readonly table: string;
  readonly column: Column;
  readonly path: readonly JsonStep[];
  /** Of what comes out. */
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

/** How the rows of a relation are found from a row of the level above. */
export interface Join {
  /** Columns of this level, and what they equal. */
  readonly pairs: readonly {
    readonly column: string;
    readonly equals: { readonly alias: string; readonly column: string };
  }[];
  /** Between them, where many belong to many. */
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
  /** How many rows there are, in place of the rows. */
  | { readonly kind: "count"; readonly name: string };

/** `date` and `text` of whatever it is; the others among numbers, flags and texts. */
export type Cast = "text" | "integer" | "decimal" | "flag" | "date";

export interface OrderBy {
  readonly expression: Expression;
  /** Of the one related row, instead of this one. */
  readonly through: Embedding | null;
  readonly isDescending: boolean;
  readonly areNullsFirst: boolean;
}

/** One table of a request with everything asked of it. */
export interface Level {
  readonly table: Table;
  readonly alias: string;
  readonly team: string;
  /** Whose clocks show its moments; null is UTC. */
  readonly zone: string | null;
  readonly outputs: readonly Output[];
  /** Those that restrict or order without being shown are in here too. */
  readonly embeddings: readonly Embedding[];
  readonly conditions: readonly Condition[];
  readonly order: readonly OrderBy[];
  readonly window: Window;
  /** Only rows of these keys, chosen before. */
  readonly keys?: readonly string[];
}
