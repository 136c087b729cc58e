// Control of one setting by the type of its value: a switch, choices, a number, a text, a time zone, a shortcut or an asset.

import {
  Box,
  Group,
  NativeSelect,
  NumberInput,
  SegmentedControl,
  Select,
  Slider,
  Switch,
  TextInput,
} from "@mantine/core";
import { useState, type ReactNode } from "react";
import { useAnswer } from "../api/operations.ts";
import { draftInput } from "../components/drafts/draft-input.ts";
import { ChangedElsewhere } from "../components/drafts/ChangedElsewhere.tsx";
import { useDraft, type SaveOutcome } from "../components/drafts/use-draft.ts";
import { goTo } from "../place/navigation.ts";
import { formats } from "../../locales/language.ts";
import { t } from "../../locales/messages.ts";
import { keysOf } from "./hotkey.ts";
import { ProfileControl } from "./ProfileControl.tsx";
import { choicesOf, kindOf } from "./setting-value.ts";
import { sectionOf, type SettingView } from "./setting-sections.ts";
import { notifyInternalError } from "../components/outcomes/outcome.ts";

interface Props {
  readonly id: string;
  readonly setting: SettingView;
  readonly value: unknown;
  readonly isInvalid: boolean;
  /** With the value it was typed over: it is saved only where that is still stored. */
  readonly onChange: (value: unknown, base?: string) => Promise<SaveOutcome>;
  readonly onTyping: () => void;
}

export function SettingControl(props: Props): ReactNode {
  switch (kindOf(props.setting)) {
    case "switch":
      return <SwitchControl {...props} />;
    case "choice":
      return (
        <ChoiceControl
          {...props}
          onChoose={(value) => {
            props.onChange(value).catch(notifyInternalError);
          }}
        />
      );
    case "profile":
      return (
        <ProfileControl
          onChange={(value) => {
            props.onChange(value).catch(notifyInternalError);
          }}
        >
          {(choose) => <ChoiceControl {...props} onChoose={choose} />}
        </ProfileControl>
      );
    case "number":
      return props.setting.wireName === "volume" ? (
        <VolumeControl {...props} />
      ) : (
        <NumberControl {...props} />
      );
    case "zone":
      return <ZoneControl {...props} />;
    case "keys":
      return <KeysControl {...props} />;
    case "asset":
      return <AssetControl {...props} />;
    case "text":
      return <TextControl {...props} />;
  }
}

function described({ id, isInvalid }: Props) {
  return {
    id,
    "aria-describedby": isInvalid
      ? `${id}-effect ${id}-refusal`
      : `${id}-effect`,
    "aria-invalid": isInvalid || undefined,
  } as const;
}

function SwitchControl(props: Props): ReactNode {
  const isOn = props.value === true;
  return (
    <Switch
      {...described(props)}
      size="md"
      checked={isOn}
      label={isOn ? t("settings.on") : t("settings.off")}
      labelPosition="left"
      aria-labelledby={`${props.id}-name`}
      onChange={(event) => {
        props.onChange(event.currentTarget.checked).catch(notifyInternalError);
      }}
    />
  );
}

/** More than four, or longer words, would not fit in one line. */
const maxInlineChoices = 4;
const maxInlineLetters = 32;

function ChoiceControl(
  props: Props & { readonly onChoose: (value: unknown) => void },
): ReactNode {
  const choices = choicesOf(props.setting);
  const data = choices.map(({ value, label }) => ({
    ...{ value: String(value), label },
  }));
  const choose = (selected: string) => {
    props.onChoose(
      choices.find(({ value }) => String(value) === selected)?.value,
    );
  };
  const letters = data.reduce((sum, { label }) => sum + label.length, 0);
  if (data.length <= maxInlineChoices && letters <= maxInlineLetters)
    return (
      <SegmentedControl
        fullWidth
        data={data}
        value={String(props.value)}
        aria-labelledby={`${props.id}-name`}
        aria-describedby={`${props.id}-effect`}
        onChange={choose}
      />
    );
  return (
    <NativeSelect
      {...described(props)}
      data={data}
      value={String(props.value)}
      onChange={(event) => {
        choose(event.currentTarget.value);
      }}
    />
  );
}

/** One draft for each setting, kept until the player has accepted it. */
function useSettingDraft(
  props: Props,
  stored: string,
  read: (text: string) => unknown,
) {
  const { setting } = props;
  const { wireName, words } = setting;
  const draft = useDraft({
    key: `setting ${wireName}`,
    stored,
    read: (text) => ({ stored: String(read(text)) }),
    save: (text, base) => props.onChange(read(text), base ?? stored),
    place: {
      ...{ field: words.name, of: t("manager.pages.settings") },
      goBack: () => {
        goTo("settings", sectionOf(wireName));
      },
    },
  });
  return {
    ...draft,
    shown: draft.typed ?? stored,
    // The row shows it while it is mounted; when the field comes back, the field does.
    error: props.isInvalid ? true : draft.wrong,
    type: (text: string) => {
      draft.type(text);
      props.onTyping();
    },
    handlers: draftInput(draft),
    note: draft.isChanged ? (
      <ChangedElsewhere
        label={words.name}
        theirs={stored}
        onKeep={draft.keepMine}
        onTheirs={draft.useTheirs}
      />
    ) : null,
  };
}

function TextControl(props: Props): ReactNode {
  const value = typeof props.value === "string" ? props.value : "";
  const { attach, ...draft } = useSettingDraft(props, value, (text) => text);
  const { wireName, schema, words } = props.setting;
  const example =
    words.example ?? (schema.examples as readonly string[] | undefined)?.[0];
  // The name that is used where none is set.
  const standIn = useAnswer("readInfo", {}).data?.player_name;
  return (
    <>
      <TextInput
        {...described(props)}
        ref={attach}
        value={draft.shown}
        placeholder={wireName === "player_name" ? standIn : example}
        dir="auto"
        spellCheck={false}
        error={draft.error}
        withErrorStyles
        onChange={(event) => {
          draft.type(event.currentTarget.value);
        }}
        {...draft.handlers}
      />
      {draft.note}
    </>
  );
}

function NumberControl(props: Props): ReactNode {
  const value = typeof props.value === "number" ? props.value : 0;
  // An invalid number is rejected with the player's message; an empty field is no change.
  const { attach, ...draft } = useSettingDraft(props, String(value), (text) =>
    text === "" ? value : Number.isNaN(Number(text)) ? text : Number(text),
  );
  const { unit } = props.setting;
  const isNumber = String(Number(draft.shown)) === draft.shown;
  return (
    <>
      <NumberInput
        {...described(props)}
        ref={attach}
        value={isNumber ? Number(draft.shown) : draft.shown}
        suffix={unit === undefined ? "" : ` ${unit}`}
        allowDecimal={false}
        clampBehavior="none"
        error={draft.error}
        onChange={(next) => {
          if (String(next) !== draft.shown) draft.type(String(next));
        }}
        {...draft.handlers}
      />
      {draft.note}
    </>
  );
}

function VolumeControl(props: Props): ReactNode {
  const value = typeof props.value === "number" ? props.value : 0;
  // Position during a drag; a value other than the one at its start comes from the player.
  const [held, setHeld] = useState<{ of: number; at: number } | null>(null);
  const shown = held?.of === value ? held.at : value;
  return (
    <Group wrap="nowrap" mih={44}>
      <Slider
        flex={1}
        value={shown}
        min={0}
        max={100}
        label={(at) => `${at} %`}
        thumbProps={{ "aria-labelledby": `${props.id}-name` }}
        thumbSize={20}
        onChange={(at) => {
          setHeld({ of: value, at });
        }}
        onChangeEnd={(at) => {
          props.onChange(at).catch(notifyInternalError);
        }}
      />
      <Box className="figures" component="output" miw={52} ta="end">
        {shown} %
      </Box>
    </Group>
  );
}

const zones = Intl.supportedValuesOf("timeZone");

function ZoneControl(props: Props): ReactNode {
  const value = typeof props.value === "string" ? props.value : "";
  return (
    <Select
      {...described(props)}
      searchable
      data={[
        { value: "", label: t("settings.followSystem") },
        ...zones.map((zone) => ({ value: zone, label: zone })),
      ]}
      limit={60}
      value={value}
      allowDeselect={false}
      error={props.isInvalid}
      nothingFoundMessage={t("settings.found", { count: 0 })}
      onChange={(zone) => {
        if (zone !== null) props.onChange(zone).catch(notifyInternalError);
      }}
    />
  );
}

function KeysControl(props: Props): ReactNode {
  const value = typeof props.value === "string" ? props.value : "";
  return (
    <TextInput
      {...described(props)}
      value={formats.keys(value)}
      readOnly
      placeholder={t("settings.pressKeys")}
      error={props.isInvalid}
      dir="ltr"
      onKeyDown={(event) => {
        if (event.key === "Backspace" || event.key === "Delete") {
          props.onChange("").catch(notifyInternalError);
          return;
        }
        const keys = keysOf(event.nativeEvent);
        if (keys === null) return;
        event.preventDefault();
        event.stopPropagation();
        props.onChange(keys).catch(notifyInternalError);
      }}
    />
  );
}

function AssetControl(props: Props): ReactNode {
  const assets = useAnswer("listAssets", {}).data ?? [];
  const value = typeof props.value === "string" ? props.value : "";
  const isGone =
    value !== "" && !assets.some(({ asset_id }) => asset_id === value);
  return (
    <Select
      {...described(props)}
      searchable
      limit={60}
      data={[
        { value: "", label: t("settings.noAsset") },
        ...(isGone ? [{ value, label: t("settings.missingAsset") }] : []),
        ...assets.map(({ asset_id, name }) => ({
          ...{ value: asset_id, label: name ?? asset_id },
        })),
      ]}
      value={value}
      allowDeselect={false}
      error={props.isInvalid}
      nothingFoundMessage={t("settings.found", { count: 0 })}
      onChange={(id) => {
        if (id !== null) props.onChange(id).catch(notifyInternalError);
      }}
    />
  );
}
