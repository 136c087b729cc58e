// Settings of this window only: its language and its colour scheme.

import {
  NativeSelect,
  SegmentedControl,
  useMantineColorScheme,
  type MantineColorScheme,
} from "@mantine/core";
import { useId, type ReactNode } from "react";
import { chooseLanguage, chosenLanguage } from "../../locales/language.ts";
import { texts } from "../texts/texts.ts";

const words = texts.settings.manager;
const system = "";

export function ManagerPanel(): ReactNode {
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const language = useId();
  const appearance = useId();
  return (
    <div className="settings-group">
      <div className="setting">
        <div className="setting-words">
          <label className="setting-name" htmlFor={language}>
            {words.language}
          </label>
          <p className="quiet" id={`${language}-effect`}>
            {words.languageEffect}
          </p>
        </div>
        <div className="setting-control">
          <NativeSelect
            id={language}
            aria-describedby={`${language}-effect`}
            data={[
              { value: system, label: texts.settings.followSystem },
              ...Object.entries(words.languages).map(([value, label]) => ({
                ...{ value, label },
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
            {words.appearance}
          </p>
          <p className="quiet" id={`${appearance}-effect`}>
            {words.appearanceEffect}
          </p>
        </div>
        <div className="setting-control">
          <SegmentedControl
            fullWidth
            aria-labelledby={`${appearance}-name`}
            aria-describedby={`${appearance}-effect`}
            data={Object.entries(words.appearances).map(([value, label]) => ({
              ...{ value, label },
            }))}
            value={colorScheme}
            onChange={(value) => {
              setColorScheme(value as MantineColorScheme);
            }}
          />
        </div>
      </div>
    </div>
  );
}
