// Every section of the settings and every setting in it, reached by name.

import { goTo } from "../place.ts";
import { sectionIds, settingsIn } from "../settings/sections.ts";
import { texts } from "../texts/texts.ts";
import type { Command } from "./commands.ts";

export function settingsPlaces(): readonly Command[] {
  return sectionIds.flatMap((section): readonly Command[] => {
    const about = texts.settings.sections[section];
    const run = (): void => {
      goTo("settings", section);
    };
    return [
      {
        ...{ id: `section-${section}`, group: "settings", name: about, run },
        words: texts.settings.title,
      },
      ...settingsIn(section).map(({ wireName, words }): Command => ({
        ...{ id: wireName, group: "settings", name: words.name, about, run },
        words: `${words.also ?? ""} ${wireName}`,
      })),
    ];
  });
}
