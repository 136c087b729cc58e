// The texts that are not in the message catalogues yet.

import { direction, formats, language } from "../../locales/language.ts";
import { isolated } from "./isolated.ts";
import { english, type Texts } from "./english.ts";
import { german } from "./german.ts";

const isGerman = language.toLowerCase().split("-")[0] === "de";
const inLanguage: Texts = (isGerman ? german : english)(formats);

export const texts: Texts =
  direction === "rtl" ? isolated(inLanguage) : inLanguage;
