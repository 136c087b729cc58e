// Settings of this window only: its language and its colour scheme.

import {
  Box,
  NativeSelect,
  Paper,
  SegmentedControl,
  Text,
  useMantineColorScheme,
} from "@mantine/core";
import { useId, type ReactNode } from "react";
import { chosenLanguage } from "../../locales/requested-language.ts";
import { t } from "../../locales/messages.ts";
import { availableLanguages } from "../../locales/catalogues.ts";
import { SettingLine } from "./SettingLine.tsx";
import { notifyInternalError } from "../components/outcomes/outcome.ts";
import { changeLanguage } from "./change-language.ts";

/** Follows the system. */
const system = "";

const appearances = ["auto", "light", "dark"] as const;

export function ManagerPanel(): ReactNode {
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const language = useId();
  const appearance = useId();
  return (
    <Paper withBorder radius={10}>
      <SettingLine
        words={
          <>
            <Box component="label" display="block" fw={600} htmlFor={language}>
              {t("settings.manager.language")}
            </Box>
            <p className="quiet" id={`${language}-effect`}>
              {t("settings.manager.languageEffect")}
            </p>
          </>
        }
      >
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
            changeLanguage(value === system ? null : value).catch(
              notifyInternalError,
            );
          }}
        />
      </SettingLine>
      <SettingLine
        words={
          <>
            <Text fw={600} id={`${appearance}-name`}>
              {t("settings.manager.appearance")}
            </Text>
            <p className="quiet" id={`${appearance}-effect`}>
              {t("settings.manager.appearanceEffect")}
            </p>
          </>
        }
      >
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
      </SettingLine>
    </Paper>
  );
}

/** In that language: its readers may not understand the current one. */
function nameOfLanguage(code: string): string {
  return new Intl.DisplayNames(code, { type: "language" }).of(code) ?? code;
}
