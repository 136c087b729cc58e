// Sentences that are told apart by codes: made of a template and its details, and found again with both in a finished sentence.

/** By code; a name in braces stands for a detail. */
export type SentenceTemplates<Code extends string> = Readonly<
  Record<Code, string>
>;

export interface FoundSentence<Code extends string> {
  readonly code: Code;
  readonly details: Readonly<Record<string, string>>;
}

/** The names in braces. */
type DetailName<Template extends string> =
  Template extends `${string}{${infer Name}}${infer Rest}`
    ? Name | DetailName<Rest>
    : never;

export function composeSentence<const Template extends string>(
  template: Template,
  details: Readonly<Record<DetailName<Template>, string | number>>,
): string {
  return template.replace(/\{(\w+)\}/g, (_, name: string) =>
    String(details[name as DetailName<Template>]),
  );
}

/** A sentence comes from another device: longer ones are none of these. */
const longestSentence = 1000;

/** Null for a sentence that this version does not know. The first template that fits counts. */
export function findSentence<Code extends string>(
  templates: SentenceTemplates<Code>,
  sentence: string,
): FoundSentence<Code> | null {
  if (sentence.length > longestSentence) return null;
  for (const code of Object.keys(templates) as Code[]) {
    const details = detailsIn(sentence, templates[code]);
    if (details !== null) return { code, details };
  }
  return null;
}

/** The details of a sentence that was made of this template; null where it was not. */
function detailsIn(
  sentence: string,
  template: string,
): Readonly<Record<string, string>> | null {
  const [begin = "", ...rest] = template.split("{");
  if (!sentence.startsWith(begin)) return null;
  const details: Record<string, string> = {};
  let place = begin.length;
  for (const [index, part] of rest.entries()) {
    const [name = "", text = ""] = part.split("}");
    const isLast = index === rest.length - 1;
    const end = isLast
      ? sentence.length - text.length
      : sentence.indexOf(text, place);
    if (end < place || !sentence.startsWith(text, end)) return null;
    details[name] = sentence.slice(place, end);
    place = end + text.length;
  }
  return place === sentence.length ? details : null;
}
