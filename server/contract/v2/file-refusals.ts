// Why a file is rejected whose content is at fault: the player's sentences, and the code of each, by which a client writes it in another
// language (V2-812).

export const fileRefusals = {
  "not-media": "The file is not a supported image, video, audio or PDF file.",
  empty: "The file is empty.",
} as const;
export type FileRefusal = keyof typeof fileRefusals;

/** Null for a sentence that has no code, such as one with details. */
export function fileRefusalOf(sentence: string): FileRefusal | null {
  const [code] =
    Object.entries(fileRefusals).find(([, text]) => text === sentence) ?? [];
  return (code as FileRefusal | undefined) ?? null;
}
