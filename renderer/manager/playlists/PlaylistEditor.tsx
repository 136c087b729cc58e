// One playlist: its name and state above, its content, times, look and preview below. Every change is live at once.

import { ActionIcon, Menu, Switch, Tabs, TextInput } from "@mantine/core";
import { useElementSize } from "@mantine/hooks";
import {
  IconArrowLeft,
  IconCopy,
  IconDots,
  IconTrash,
} from "@tabler/icons-react";
import {
  createContext,
  memo,
  useContext,
  useMemo,
  useState,
  type ReactNode,
} from "react";
import type { PlaylistV2 } from "../../../server/contract/v2-playlists.ts";
import { useMenuFocus } from "../parts/menu-focus.ts";
import { useSteady } from "../parts/steady.ts";
import { addressOf, goTo, stayAt, staying } from "../place.ts";
import { direction, texts } from "../texts/texts.ts";
import { Content } from "./content/Content.tsx";
import { staySeconds, type Library } from "./library.ts";
import { Look } from "./Look.tsx";
import { PlaylistPreview } from "./preview/PlaylistPreview.tsx";
import { usePlaylistActions } from "./use-playlists.ts";
import { When } from "./when/When.tsx";
import { inWords } from "./when/words.ts";

interface Props {
  readonly library: Library;
  readonly playlist: PlaylistV2;
  readonly hasWayBack: boolean;
}

/** From here on the preview stands beside the rest. */
const roomForPreview = 1080;

export function PlaylistEditor(props: Props): ReactNode {
  const { library, playlist } = props;
  const { ref, width } = useElementSize<HTMLElement>();
  const isBeside = width >= roomForPreview;
  const inHand = useMemo(() => ({ library, playlist }), [library, playlist]);
  return (
    <InHand value={inHand}>
      <section className="playlist-editor" aria-label={playlist.name} ref={ref}>
        <div className="playlist-main">
          <Head {...props} />
          <Parts isBeside={isBeside} />
        </div>
        {isBeside ? (
          <aside className="playlist-side">
            <PlaylistPreview library={library} playlist={playlist} />
          </aside>
        ) : null}
      </section>
    </InHand>
  );
}

/** What is open below: the tabs themselves stay as they are, whatever changes in it. */
const InHand = createContext<Pick<Props, "library" | "playlist"> | null>(null);

const Parts = memo(function Parts(props: {
  readonly isBeside: boolean;
}): ReactNode {
  const { isBeside } = props;
  const [chosen, setChosen] = useState<string | null>("content");
  const tab = isBeside && chosen === "preview" ? "content" : chosen;
  const names = texts.playlists.tabs;
  return (
    <Tabs
      value={tab}
      onChange={setChosen}
      keepMounted={false}
      className="playlist-tabs"
    >
      <Tabs.List aria-label={texts.playlists.tabList}>
        <Tabs.Tab value="content">{names.content}</Tabs.Tab>
        <Tabs.Tab value="when">{names.when}</Tabs.Tab>
        <Tabs.Tab value="look">{names.look}</Tabs.Tab>
        {isBeside ? null : <Tabs.Tab value="preview">{names.preview}</Tabs.Tab>}
      </Tabs.List>
      {partNames.map((name) => (
        <Tabs.Panel key={name} value={name}>
          <Part name={name} />
        </Tabs.Panel>
      ))}
    </Tabs>
  );
});

const partNames = ["content", "when", "look", "preview"] as const;

function Part(props: { readonly name: (typeof partNames)[number] }): ReactNode {
  const inHand = useContext(InHand);
  if (!inHand) return null;
  const { library, playlist } = inHand;
  switch (props.name) {
    case "content":
      return <Content {...inHand} />;
    case "when":
      return (
        <When
          playlist={playlist}
          zone={library.screen.zone}
          all={library.playlists}
        />
      );
    case "look":
      return <Look {...inHand} />;
    case "preview":
      return <PlaylistPreview {...inHand} />;
  }
}

function Head({ library, playlist, hasWayBack }: Props): ReactNode {
  const { change, create, remove } = usePlaylistActions();
  const { name, is_enabled, predicate } = playlist;
  const words = useMemo(
    () => inWords(predicate, library.screen.zone),
    [predicate, library.screen.zone],
  );
  const about = useAbout(library, playlist);
  // What the head is made of is drawn anew only when its own part of the playlist changed.
  const rename = useSteady(
    (wished: string) => void change(playlist, { name: wished }),
  );
  const turn = useSteady(
    (isOn: boolean) => void change(playlist, { is_enabled: isOn }),
  );
  const duplicate = useSteady(async () => {
    const { playlist_id: _, created: __, ...fields } = playlist;
    const isHere = staying();
    const made = await create({
      ...fields,
      name: texts.playlists.copyOf(name),
    });
    if (made && isHere()) goTo("playlists", made.playlist_id);
  });
  const takeAway = useSteady(() => {
    const { playlist_id: id } = playlist;
    const next = library.playlists.find((one) => one.playlist_id !== id);
    stayAt("playlists", hasWayBack ? "" : next?.playlist_id);
    void remove(playlist);
  });
  return (
    <header className="playlist-head">
      {hasWayBack ? (
        <ActionIcon
          component="a"
          href={addressOf("playlists")}
          aria-label={texts.playlists.back}
        >
          <IconArrowLeft
            size={20}
            aria-hidden
            style={
              direction === "rtl" ? { transform: "scaleX(-1)" } : undefined
            }
          />
        </ActionIcon>
      ) : null}
      <div className="playlist-title">
        <NameField key={name} name={name} onName={rename} />
        <p className="quiet">
          {texts.playlists.when.plays(words)} · {about}
        </p>
      </div>
      <EnabledSwitch isOn={is_enabled} onSwitch={turn} />
      <More name={name} onDuplicate={duplicate} onRemove={takeAway} />
    </header>
  );
}

interface SwitchProps {
  readonly isOn: boolean;
  readonly onSwitch: (isOn: boolean) => void;
}

const EnabledSwitch = memo(function EnabledSwitch(
  props: SwitchProps,
): ReactNode {
  return (
    <Switch
      size="md"
      label={texts.playlists.enabled}
      checked={props.isOn}
      onChange={(event) => {
        props.onSwitch(event.currentTarget.checked);
      }}
    />
  );
});

interface MoreProps {
  readonly name: string;
  readonly onDuplicate: () => void;
  readonly onRemove: () => void;
}

const More = memo(function More(props: MoreProps): ReactNode {
  const { menu, button } = useMenuFocus();
  return (
    <Menu {...menu} position="bottom-end" width={200}>
      <Menu.Target>
        <ActionIcon {...button} aria-label={texts.playlists.more(props.name)}>
          <IconDots size={20} aria-hidden />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item
          leftSection={<IconCopy size={16} aria-hidden />}
          onClick={props.onDuplicate}
        >
          {texts.playlists.duplicate}
        </Menu.Item>
        <Menu.Item
          leftSection={<IconTrash size={16} aria-hidden />}
          onClick={props.onRemove}
        >
          {texts.playlists.remove}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
});

interface NameProps {
  readonly name: string;
  readonly onName: (name: string) => void;
}

/** Taken over when it is left or confirmed; Escape puts it back. */
const NameField = memo(function NameField({
  name,
  onName,
}: NameProps): ReactNode {
  const [written, setWritten] = useState(name);
  const isMissing = written.trim() === "";
  return (
    <TextInput
      aria-label={texts.playlists.name}
      className="playlist-name-field"
      dir="auto"
      value={written}
      error={isMissing ? texts.playlists.nameNeeded : undefined}
      onChange={(event) => {
        setWritten(event.currentTarget.value);
      }}
      onFocus={(event) => {
        if (name === texts.playlists.newName) event.currentTarget.select();
      }}
      onBlur={() => {
        if (isMissing) setWritten(name);
        else if (written.trim() !== name) onName(written.trim());
      }}
      onKeyDown={(event) => {
        if (event.key === "Enter") event.currentTarget.blur();
        if (event.key === "Escape") setWritten(name);
      }}
    />
  );
});

const hourSeconds = 3600;

/** How many items, how long one round takes, and how often it fits into an hour. */
function useAbout(library: Library, { items }: PlaylistV2): string {
  const { assets, screen } = library;
  return useMemo(() => {
    let total = 0;
    let isWhole = true;
    for (const { asset_id, duration } of items) {
      const asset = assets.get(asset_id);
      if (!asset) continue;
      const { streamSeconds } = screen.manner;
      const seconds = staySeconds(asset, duration, streamSeconds);
      total += seconds ?? 0;
      isWhole &&= seconds !== null;
    }
    if (items.length === 0) return texts.playlists.noItems;
    const rounds = Math.floor(hourSeconds / total);
    return texts.playlists.aboutItems(
      items.length,
      texts.playlists.total(total, isWhole),
      isWhole && rounds > 0 && total > 0 ? texts.playlists.perHour(rounds) : "",
    );
  }, [items, assets, screen]);
}
