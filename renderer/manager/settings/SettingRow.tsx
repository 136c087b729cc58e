// One setting: name, effect, control, default, and the error of a rejected change.

import { Box, Button, Flex, Group, Highlight } from "@mantine/core";
import { IconAlertCircle } from "@tabler/icons-react";
import { memo, useId, type ReactNode } from "react";
import { t } from "../../locales/messages.ts";
import { spoken } from "./setting-value.ts";
import { SettingControl } from "./SettingControl.tsx";
import type { SettingView } from "./setting-sections.ts";
import type { SettingsEditor } from "./use-settings.ts";
import { SettingLine } from "./SettingLine.tsx";
import { notifyInternalError } from "../components/outcomes/outcome.ts";

interface Props {
  readonly setting: SettingView;
  readonly value: unknown;
  readonly refusal: string | undefined;
  readonly searchText: string;
  readonly onChange: SettingsEditor["change"];
  readonly onForget: (wireName: string) => void;
}

export const SettingRow = memo(function SettingRow(props: Props): ReactNode {
  const { setting, value, refusal, searchText, onChange, onForget } = props;
  const { words, byDefault, wireName } = setting;
  const id = useId();
  const isDefault = value === byDefault;
  const usual = spoken(setting, byDefault);
  const words_ = searchText.trim() === "" ? [] : searchText.trim().split(/\s+/);
  return (
    <SettingLine
      wireName={wireName}
      words={
        <>
          <Box
            component="label"
            display="block"
            fw={600}
            id={`${id}-name`}
            htmlFor={id}
          >
            <Marked text={words.name} words={words_} />
          </Box>
          <p className="quiet" id={`${id}-effect`}>
            <Marked text={words.effect} words={words_} />
          </p>
          {/* An empty default is not worth mentioning. */}
          {isDefault && usual === t("settings.empty") ? null : (
            <Flex
              component="p"
              wrap="wrap"
              align="center"
              gap="0 8px"
              mih={28}
              c="dimmed"
              fz={13}
            >
              {t("settings.default", { value: usual })}
              {isDefault ? null : (
                <Button
                  variant="subtle"
                  size="compact-sm"
                  h={28}
                  aria-label={t("settings.resetNamed", { name: words.name })}
                  onClick={() => {
                    onChange(setting, byDefault).catch(notifyInternalError);
                  }}
                >
                  {t("settings.reset")}
                </Button>
              )}
            </Flex>
          )}
        </>
      }
    >
      <SettingControl
        id={id}
        setting={setting}
        value={value}
        isInvalid={refusal !== undefined}
        onChange={(next, base) => onChange(setting, next, base)}
        onTyping={() => {
          if (refusal !== undefined) onForget(wireName);
        }}
      />
      {refusal === undefined ? null : (
        <Group
          wrap="nowrap"
          align="stretch"
          gap={6}
          c="var(--fault)"
          role="alert"
          id={`${id}-refusal`}
        >
          <IconAlertCircle
            style={{ marginBlockStart: "2px" }}
            size={16}
            aria-hidden
          />
          <p>{t("settings.rejected", { reason: refusal })}</p>
        </Group>
      )}
    </SettingLine>
  );
});

function Marked({
  text,
  words,
}: {
  readonly text: string;
  readonly words: readonly string[];
}): ReactNode {
  if (words.length === 0) return text;
  return (
    <Highlight component="span" inherit highlight={[...words]}>
      {text}
    </Highlight>
  );
}
