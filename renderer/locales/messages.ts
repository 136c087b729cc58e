// Texts of the user interface: ICU messages from the catalogue of the operator's language, with their placeholders filled in.

import { translator } from "./language.ts";

export type { MessageKey, MessageValues } from "./translator.ts";

export const { t, plainMessage, messageFor } = translator;
