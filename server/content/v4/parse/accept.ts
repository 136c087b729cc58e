// Parses the Accept header: selects the response format.

import { Refusal } from "../../http/v4-errors.ts";

/** `object`: exactly one row, without the list around it. */
export interface Form {
  readonly kind: "array" | "object" | "csv";
  readonly areNullsStripped: boolean;
  readonly type: string;
}

export const jsonForm: Form = {
  kind: "array",
  areNullsStripped: false,
  type: "application/json; charset=utf-8",
};

/** Without the enclosing list, although the client did not request that format by name. */
export const oneAsJson: Form = { ...jsonForm, kind: "object" };

export function formFrom(header: string | undefined): Form {
  if (header === undefined || header.trim() === "") return jsonForm;
  const accepted = header
    .split(",")
    .map(rangeFrom)
    .filter(({ quality }) => quality > 0)
    .sort((a, b) => b.quality - a.quality);
  for (const each of accepted) {
    const form = formOf(each);
    if (form) return form;
  }
  throw new Refusal(
    406,
    "PGRST107",
    `None of these media types are available: ${header.slice(0, 200)}`,
  );
}

interface MediaRange {
  readonly name: string;
  readonly areNullsStripped: boolean;
  readonly quality: number;
}

function rangeFrom(text: string): MediaRange {
  const [name = "", ...parameters] = text
    .split(";")
    .map((part) => part.trim().toLowerCase());
  const quality = parameters.find((each) => each.startsWith("q="));
  const number = quality === undefined ? 1 : Number(quality.slice(2));
  return {
    name,
    areNullsStripped: parameters.includes("nulls=stripped"),
    quality: Number.isNaN(number) ? 0 : number,
  };
}

function formOf({ name, areNullsStripped }: MediaRange): Form | null {
  const parameter = areNullsStripped ? "; nulls=stripped" : "";
  switch (name) {
    case "*/*":
    case "application/*":
    case "application/json":
      return jsonForm;
    case "application/vnd.pgrst.array+json":
    case "application/vnd.pgrst.array":
      return {
        kind: "array",
        areNullsStripped,
        type: `application/vnd.pgrst.array+json${parameter}; charset=utf-8`,
      };
    case "application/vnd.pgrst.object+json":
    case "application/vnd.pgrst.object":
      return {
        kind: "object",
        areNullsStripped,
        type: `application/vnd.pgrst.object+json${parameter}; charset=utf-8`,
      };
    case "text/csv":
    case "text/*":
      return {
        kind: "csv",
        areNullsStripped: false,
        type: "text/csv; charset=utf-8",
      };
    default:
      return null;
  }
}
