// The language that the operator chose for this manager, and the text direction and formats that come with it.

import { requestedLanguage } from "./requested-language.ts";
import { translatorFor } from "./translator.ts";

export const translator = translatorFor(requestedLanguage());
export const { language, direction, formats } = translator;
