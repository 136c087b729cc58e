// Settings of this window only: its language and its colour scheme.

import {
  NativeSelect,
  SegmentedControl,
  useMantineColorScheme,
} from "@mantine/core";
import { useId, type ReactNode } from "react";
import { chooseLanguage, chosenLanguage } from "../../locales/language.ts";
import { t } from "../../locales/messages.ts";
import { availableLanguages } from "../../locales/translator.ts";

/** Follows the system. */
const system = "";

const appearances = ["auto", "light", "dark"] as const;

export function ManagerPanel(): ReactNode {
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const language = useId();
  const appearance = useId();
  return (
    <div className="settings-group">
      <div className="setting">
        <div className="setting-words">
          <label className="setting-name" htmlFor={language}>
            {t("settings.manager.language")}
          </label>
          <p className="quiet" id={`${language}-effect`}>
            {t("settings.manager.languageEffect")}
          </p>
        </div>
        <div className="setting-control">
          <NativeSelect
            id={language}
            aria-describedby={`${language}-effect`}
            data={[
              { value: system, label: t("settings.followSystem") },
              ...availableLanguages.map((value) => ({
                value,
                label: nameOfLanguage(value),
              })),
            ]}
            value={chosenLanguage() ?? system}
            onChange={(event) => {
              const { value } = event.currentTarget;
              chooseLanguage(value === system ? null : value);
            }}
          />
        </div>
      </div>
      <div className="setting">
        <div className="setting-words">
          <p className="setting-name" id={`${appearance}-name`}>
            {t("settings.manager.appearance")}
          </p>
          <p className="quiet" id={`${appearance}-effect`}>
            {t("settings.manager.appearanceEffect")}
          </p>
        </div>
        <div className="setting-control">
          <SegmentedControl
            fullWidth
            aria-labelledby={`${appearance}-name`}
            aria-describedby={`${appearance}-effect`}
            data={appearances.map((value) => ({
              value,
              label: t(`settings.manager.appearances.${value}`),
            }))}
            value={colorScheme}
            onChange={(value) => {
              setColorScheme(value);
            }}
          />
        </div>
      </div>
    </div>
  );
}

/** In that language: its readers may not understand the current one. */
function nameOfLanguage(code: string): string {
  return new Intl.DisplayNames(code, { type: "language" }).of(code) ?? code;
}
