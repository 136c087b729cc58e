// The control of one setting, by what its values are: a switch, choices, a number, a text, a zone, a key or an asset.

import {
  NativeSelect,
  NumberInput,
  SegmentedControl,
  Select,
  Slider,
  Switch,
  TextInput,
} from "@mantine/core";
import { useState, type KeyboardEvent, type ReactNode } from "react";
import { useAnswer } from "../operations.ts";
import { formats, texts } from "../texts/texts.ts";
import { keysOf } from "./keys.ts";
import { ProfileControl } from "./ProfileControl.tsx";
import { choicesOf, kindOf } from "./setting-value.ts";
import type { SettingView } from "./sections.ts";

interface Props {
  readonly id: string;
  readonly setting: SettingView;
  readonly value: unknown;
  readonly isRefused: boolean;
  readonly onChange: (value: unknown) => void;
  readonly onTyping: () => void;
}

export function SettingControl(props: Props): ReactNode {
  switch (kindOf(props.setting)) {
    case "switch":
      return <SwitchControl {...props} />;
    case "choice":
      return <ChoiceControl {...props} />;
    case "profile":
      return (
        <ProfileControl onChange={props.onChange}>
          {(onChange) => <ChoiceControl {...props} onChange={onChange} />}
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

function described({ id, isRefused }: Props) {
  return {
    id,
    "aria-describedby": isRefused
      ? `${id}-effect ${id}-refusal`
      : `${id}-effect`,
    "aria-invalid": isRefused || undefined,
  } as const;
}

function SwitchControl(props: Props): ReactNode {
  const isOn = props.value === true;
  return (
    <Switch
      {...described(props)}
      size="md"
      checked={isOn}
      label={isOn ? texts.settings.on : texts.settings.off}
      labelPosition="left"
      aria-labelledby={`${props.id}-name`}
      onChange={(event) => {
        props.onChange(event.currentTarget.checked);
      }}
    />
  );
}

/** More than four, or longer words, would not fit beside one another. */
const mostBeside = 4;
const mostLettersBeside = 32;

function ChoiceControl(props: Props): ReactNode {
  const choices = choicesOf(props.setting);
  const data = choices.map(({ value, label }) => ({
    ...{ value: String(value), label },
  }));
  const choose = (wanted: string) => {
    props.onChange(
      choices.find(({ value }) => String(value) === wanted)?.value,
    );
  };
  const letters = data.reduce((sum, { label }) => sum + label.length, 0);
  if (data.length <= mostBeside && letters <= mostLettersBeside)
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

/** What is typed counts when one leaves the field or presses Enter; Escape takes it back. */
function useDraft<T>(value: T, give: (value: T) => void) {
  const [draft, setDraft] = useState<{ of: T; now: T } | null>(null);
  // A draft of another value than that of now is a draft no more.
  const shown = draft?.of === value ? draft.now : value;
  const commit = () => {
    if (shown !== value) give(shown);
  };
  return {
    ...{ shown, commit },
    type: (now: T) => {
      setDraft({ of: value, now });
    },
    onKeyDown: (event: KeyboardEvent) => {
      if (event.key === "Enter") commit();
      if (event.key === "Escape") setDraft(null);
    },
  };
}

function TextControl(props: Props): ReactNode {
  const value = typeof props.value === "string" ? props.value : "";
  const draft = useDraft(value, props.onChange);
  const { wireName, schema, words } = props.setting;
  const example =
    words.example ?? (schema.examples as readonly string[] | undefined)?.[0];
  // The name that is used where none is written.
  const standIn = useAnswer("readInfo", {}).data?.player_name;
  return (
    <TextInput
      {...described(props)}
      value={draft.shown}
      placeholder={wireName === "player_name" ? standIn : example}
      dir="auto"
      spellCheck={false}
      error={props.isRefused}
      withErrorStyles
      onChange={(event) => {
        draft.type(event.currentTarget.value);
        props.onTyping();
      }}
      onBlur={draft.commit}
      onKeyDown={draft.onKeyDown}
    />
  );
}

function NumberControl(props: Props): ReactNode {
  const value = typeof props.value === "number" ? props.value : 0;
  const draft = useDraft<string | number>(value, (wanted) => {
    if (wanted !== "") props.onChange(wanted);
  });
  const { unit } = props.setting.words;
  return (
    <NumberInput
      {...described(props)}
      value={draft.shown}
      suffix={unit === undefined ? "" : ` ${unit}`}
      allowDecimal={false}
      clampBehavior="none"
      error={props.isRefused}
      onChange={(next) => {
        draft.type(typeof next === "number" ? next : String(next));
        props.onTyping();
      }}
      onBlur={draft.commit}
      onKeyDown={draft.onKeyDown}
    />
  );
}

function VolumeControl(props: Props): ReactNode {
  const value = typeof props.value === "number" ? props.value : 0;
  const draft = useDraft(value, props.onChange);
  return (
    <div className="volume-control">
      <Slider
        value={draft.shown}
        min={0}
        max={100}
        label={(at) => `${at} %`}
        thumbProps={{ "aria-labelledby": `${props.id}-name` }}
        thumbSize={20}
        onChange={draft.type}
        onChangeEnd={props.onChange}
      />
      <output className="volume-number">{draft.shown} %</output>
    </div>
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
        { value: "", label: texts.settings.followSystem },
        ...zones.map((zone) => ({ value: zone, label: zone })),
      ]}
      limit={60}
      value={value}
      allowDeselect={false}
      error={props.isRefused}
      nothingFoundMessage={texts.settings.found(0)}
      onChange={(zone) => {
        if (zone !== null) props.onChange(zone);
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
      placeholder={texts.settings.pressKeys}
      error={props.isRefused}
      dir="ltr"
      onKeyDown={(event) => {
        if (event.key === "Backspace" || event.key === "Delete")
          return props.onChange("");
        const keys = keysOf(event.nativeEvent);
        if (keys === null) return;
        event.preventDefault();
        event.stopPropagation();
        props.onChange(keys);
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
        { value: "", label: texts.settings.noAsset },
        ...(isGone ? [{ value, label: texts.settings.assetGone }] : []),
        ...assets.map(({ asset_id, name }) => ({
          ...{ value: asset_id, label: name ?? asset_id },
        })),
      ]}
      value={value}
      allowDeselect={false}
      error={props.isRefused}
      nothingFoundMessage={texts.settings.found(0)}
      onChange={(id) => {
        if (id !== null) props.onChange(id);
      }}
    />
  );
}
