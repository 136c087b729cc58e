// Editor of one playlist: its name and state above, its content, schedule, settings and preview below. Every change is live at
// once.

import {
  ActionIcon,
  Box,
  Flex,
  Menu,
  Stack,
  Switch,
  Tabs,
  Text,
  TextInput,
  Title,
} from "@mantine/core";
import { useElementSize } from "@mantine/hooks";
import {
  IconActivity,
  IconArrowLeft,
  IconCopy,
  IconDots,
  IconTrash,
} from "@tabler/icons-react";
import {
  createContext,
  memo,
  useCallback,
  useContext,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
  type ReactNode,
} from "react";
import type { PlaylistV2 } from "../../../server/contract/v2/v2-playlists.ts";
import { LocalChangesNote } from "../local-changes/LocalChangesNote.tsx";
import { useOrigin } from "../local-changes/use-origin.ts";
import { draftInput } from "../components/drafts/draft-input.ts";
import { ChangedElsewhere } from "../components/drafts/ChangedElsewhere.tsx";
import { useMenuFocus } from "../components/focus/menu-focus.ts";
import { useStable } from "../components/stable-callback.ts";
import { useDraft, type SaveOutcome } from "../components/drafts/use-draft.ts";
import { addressOf, goTo, stayAt, staying } from "../place/navigation.ts";
import { can } from "../place/abilities.ts";
import { useMayReadActivity } from "../components/controls/ActivityLink.tsx";
import { direction, formats } from "../../locales/language.ts";
import { plainMessage, t } from "../../locales/messages.ts";
import { Content } from "./content/Content.tsx";
import { useHindered } from "./why-not-playing.ts";
import { staySeconds, type Library } from "../lineup/schedule-inputs.ts";
import { Appearance } from "./PlaylistSettings.tsx";
import { useMayChange } from "../playlist-actions/PlaylistPermission.tsx";
import { PlaylistPreview } from "./PlaylistPreview.tsx";
import { usePlaylistActions } from "../playlist-actions/use-playlists.ts";
import { When } from "./predicate-editor/PredicateEditor.tsx";
import { inWords } from "../predicates/predicate-text.ts";
import { notifyInternalError } from "../components/outcomes/outcome.ts";

interface Props {
  readonly library: Library;
  readonly playlist: PlaylistV2;
  readonly hasWayBack: boolean;
  /** The focus starts in its name. */
  readonly isNew: boolean;
}

/** From this width on the preview is shown next to the rest. */
const widthForPreview = 1080;

export function PlaylistEditor(props: Props): ReactNode {
  const { library, playlist } = props;
  const { ref, width } = useElementSize<HTMLElement>();
  const isSideBySide = can("preview") && width >= widthForPreview;
  const editorContext = useMemo(
    () => ({ library, playlist }),
    [library, playlist],
  );
  return (
    <EditorContext value={editorContext}>
      <Flex
        component="section"
        className="playlist-editor"
        flex={1}
        miw={0}
        mih={0}
        aria-label={playlist.name}
        ref={ref}
      >
        <Stack gap={0} flex={1} miw={0} mih={0}>
          <Head {...props} />
          <Parts isSideBySide={isSideBySide} />
        </Stack>
        {isSideBySide ? (
          <Box
            component="aside"
            className="line-before scrolls"
            flex="none"
            w="clamp(340px, 26vw, 640px)"
            p={16}
          >
            <PlaylistPreview library={library} playlist={playlist} />
          </Box>
        ) : null}
      </Flex>
    </EditorContext>
  );
}

/** Content of the tabs: the tabs themselves stay as they are, whatever changes in the playlist. */
const EditorContext = createContext<Pick<Props, "library" | "playlist"> | null>(
  null,
);

const Parts = memo(function Parts(props: {
  readonly isSideBySide: boolean;
}): ReactNode {
  const { isSideBySide } = props;
  const [chosen, setChosen] = useState<string | null>("content");
  const tab = isSideBySide && chosen === "preview" ? "content" : chosen;
  return (
    <Tabs
      value={tab}
      onChange={setChosen}
      keepMounted={false}
      className="playlist-tabs"
      display="flex"
      flex={1}
      mih={0}
    >
      <Tabs.List px={16} aria-label={t("playlists.tabList")}>
        <Tabs.Tab value="content" mih={44}>
          {t("playlists.tabs.content")}
        </Tabs.Tab>
        <Tabs.Tab value="when" mih={44}>
          {t("playlists.tabs.schedule")}
        </Tabs.Tab>
        <Tabs.Tab value="look" mih={44}>
          {t("playlists.tabs.settings")}
        </Tabs.Tab>
        {isSideBySide || !can("preview") ? null : (
          <Tabs.Tab value="preview" mih={44}>
            {t("playlists.tabs.preview")}
          </Tabs.Tab>
        )}
      </Tabs.List>
      {partNames.map((name) => (
        <Tabs.Panel key={name} value={name} className="scrolls" flex={1}>
          <Part name={name} />
        </Tabs.Panel>
      ))}
    </Tabs>
  );
});

const partNames = ["content", "when", "look", "preview"] as const;

function Part(props: { readonly name: (typeof partNames)[number] }): ReactNode {
  const editorContext = useContext(EditorContext);
  if (!editorContext) return null;
  const { library, playlist } = editorContext;
  switch (props.name) {
    case "content":
      return <Content {...editorContext} />;
    case "when":
      return (
        <When
          playlist={playlist}
          zone={library.screen.zone}
          all={library.playlists}
        />
      );
    case "look":
      return <Appearance {...editorContext} />;
    case "preview":
      return (
        <Box p={16}>
          <PlaylistPreview {...editorContext} />
        </Box>
      );
  }
}

function Head({ library, playlist, hasWayBack, isNew }: Props): ReactNode {
  const { change, create, remove, discardChanges } = usePlaylistActions();
  const mayChange = useMayChange();
  const { name, is_enabled, predicate, groups } = playlist;
  const words = useMemo(
    () => inWords(predicate, library.screen.zone),
    [predicate, library.screen.zone],
  );
  const about = useAbout(library, playlist);
  const origin = useOrigin("playlists", playlist.playlist_id);
  // Parts of the header rerender only when their own part of the playlist changed.
  const latest = useRef(playlist);
  useLayoutEffect(() => {
    latest.current = playlist;
  });
  const rename = useCallback(
    async (newName: string, base: string): Promise<SaveOutcome> => {
      const isSaved = await change(
        ...([latest.current, { name: newName }, undefined, undefined] as const),
        { name: base },
      );
      return isSaved ? { isSaved } : { isSaved, reason: null };
    },
    [change],
  );
  const setEnabled = useStable((isOn: boolean) => {
    change(playlist, { is_enabled: isOn }).catch(notifyInternalError);
  });
  const duplicate = useStable(async () => {
    const { playlist_id: _, created: __, ...fields } = playlist;
    const isHere = staying();
    const created = await create({
      ...fields,
      name: plainMessage("playlists.copyName", { name }),
    });
    if (created && isHere()) goTo("playlists", created.playlist_id);
  });
  const leave = (): void => {
    const { playlist_id: id } = playlist;
    const next = library.playlists.find((one) => one.playlist_id !== id);
    stayAt("playlists", hasWayBack ? "" : next?.playlist_id);
  };
  const takeAway = useStable(async () => {
    const isHere = staying();
    // At a content service, the person may be asked first.
    if (can("player")) leave();
    const isRemoved = await remove(playlist);
    if (isRemoved && !can("player") && isHere()) leave();
  });
  return (
    <div className="playlist-top">
      <Flex
        className="playlist-head"
        wrap="wrap"
        align="center"
        gap="8px 16px"
        component="header"
        pt={12}
        px={16}
        pb={4}
      >
        {hasWayBack ? (
          <ActionIcon
            component="a"
            href={addressOf("playlists")}
            aria-label={t("playlists.back")}
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
        <Box flex="1 1 180px" miw={0}>
          {mayChange ? (
            <NameField
              key={playlist.playlist_id}
              id={playlist.playlist_id}
              name={name}
              isNew={isNew}
              onName={rename}
            />
          ) : (
            <Title order={2} fz={18} lh="36px" px={9} dir="auto">
              {name}
            </Title>
          )}
          <Text c="dimmed" px={9}>
            {t("playlists.schedule.plays", { times: words })} · {about}
            {origin === null
              ? null
              : ` · ${t("connections.origin", { name: origin })}`}
          </Text>
          {can("player") || groups.length > 0 ? null : (
            <Text px={9} data-tone="waiting">
              {t(
                mayChange
                  ? "playlists.service.nowhere"
                  : "playlists.service.onNoScreen",
              )}
            </Text>
          )}
        </Box>
        {mayChange ? (
          <>
            <EnabledSwitch isOn={is_enabled} onSwitch={setEnabled} />
            <More
              id={playlist.playlist_id}
              name={name}
              onDuplicate={duplicate}
              onRemove={takeAway}
            />
          </>
        ) : is_enabled ? null : (
          <Text c="dimmed">{t("schedule.disabled")}</Text>
        )}
      </Flex>
      <LocalChangesNote
        {...{ kind: "playlist", id: playlist.playlist_id, name }}
        service={origin}
        focusAfter=".playlist-name-field input"
        discardChanges={(changes, service) =>
          discardChanges(playlist, changes, service)
        }
      />
    </div>
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
      label={t("playlists.enabled")}
      checked={props.isOn}
      onChange={(event) => {
        props.onSwitch(event.currentTarget.checked);
      }}
    />
  );
});

interface MoreProps {
  readonly id: string;
  readonly name: string;
  readonly onDuplicate: () => void;
  readonly onRemove: () => void;
}

const More = memo(function More(props: MoreProps): ReactNode {
  const { menu, button, dropdown } = useMenuFocus();
  const mayReadActivity = useMayReadActivity();
  return (
    <Menu {...menu} position="bottom-end" width={200}>
      <Menu.Target>
        <ActionIcon
          {...button}
          aria-label={t("playlists.more", { name: props.name })}
        >
          <IconDots size={20} aria-hidden />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown {...dropdown}>
        <Menu.Item
          leftSection={<IconCopy size={16} aria-hidden />}
          onClick={props.onDuplicate}
        >
          {t("playlists.duplicate")}
        </Menu.Item>
        {mayReadActivity ? (
          <Menu.Item
            component="a"
            leftSection={<IconActivity size={16} aria-hidden />}
            href={addressOf("activity", props.id)}
          >
            {t("activity.title")}
          </Menu.Item>
        ) : null}
        <Menu.Item
          leftSection={<IconTrash size={16} aria-hidden />}
          onClick={props.onRemove}
        >
          {t(can("player") ? "playlists.delete" : "playlists.service.delete")}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
});

interface NameProps {
  readonly id: string;
  readonly name: string;
  readonly isNew: boolean;
  readonly onName: (name: string, base: string) => Promise<SaveOutcome>;
}

/** Saved on blur or Enter; Escape restores it. */
const NameField = memo(function NameField(props: NameProps): ReactNode {
  const { id, name, onName } = props;
  const { attach, ...draft } = useDraft({
    key: `playlist ${id} name`,
    stored: name,
    read: (text) =>
      text.trim() === ""
        ? { wrong: t("playlists.nameRequired") }
        : { stored: text.trim() },
    save: (text, base) => onName(text.trim(), base ?? name),
    place: {
      ...{ field: t("playlists.name"), of: name },
      goBack: () => {
        goTo("playlists", id);
      },
    },
  });
  const isMissing = draft.typed?.trim() === "";
  return (
    <>
      <TextInput
        ref={attach}
        aria-label={t("playlists.name")}
        className="playlist-name-field"
        autoFocus={props.isNew}
        dir="auto"
        value={draft.typed ?? name}
        error={isMissing ? t("playlists.nameRequired") : draft.wrong}
        onChange={(event) => {
          draft.type(event.currentTarget.value);
        }}
        onFocus={(event) => {
          if (name === plainMessage("playlists.newName"))
            event.currentTarget.select();
        }}
        {...draftInput(draft, isMissing)}
      />
      {draft.isChanged ? (
        <ChangedElsewhere
          label={t("playlists.name")}
          theirs={name}
          onKeep={draft.keepMine}
          onTheirs={draft.useTheirs}
        />
      ) : null}
    </>
  );
});

const hourSeconds = 3600;

/** Number of items, duration of one cycle of those that play, and how often it fits into an hour. */
function useAbout(library: Library, { items }: PlaylistV2): string {
  const { assets, viewsById, screen } = library;
  const views = useMemo(
    () => items.flatMap(({ asset_id: id }) => viewsById.get(id) ?? []),
    [items, viewsById],
  );
  const hindered = useHindered(views, screen.zone);
  return useMemo(() => {
    let total = 0;
    let isExact = true;
    for (const { asset_id, duration } of items) {
      const asset = assets.get(asset_id);
      if (!asset || hindered.has(asset_id)) continue;
      const { streamSeconds } = screen.presentationDefaults;
      const seconds = staySeconds(asset, duration, streamSeconds);
      total += seconds ?? 0;
      isExact &&= seconds !== null;
    }
    if (items.length === 0) return t("playlists.noItems");
    if (views.every(({ id }) => hindered.has(id)))
      return t("playlists.nothingPlays", { count: items.length });
    const rounds = Math.floor(hourSeconds / total);
    const duration = formats.length(total);
    return [
      t("playlists.itemCount", { count: items.length }),
      isExact ? duration : t("playlists.atLeast", { duration }),
      ...(isExact && rounds > 0 && total > 0
        ? [t("playlists.perHour", { count: rounds })]
        : []),
    ].join(" · ");
  }, [items, assets, views, hindered, screen]);
}
