// The folder tree next to the list, with the entries for problems and the trash.

import { Box, Flex, Text, UnstyledButton } from "@mantine/core";
import {
  IconAlertTriangle,
  IconFolder,
  IconFolderOff,
  IconPhotoVideo,
  IconTrash,
  type Icon,
} from "@tabler/icons-react";
import { memo, type ReactNode } from "react";
import { formats } from "../../locales/language.ts";
import { t } from "../../locales/messages.ts";
import { can } from "../place/abilities.ts";
import type { Folder } from "../assets/search.ts";

/** The part of the library that is shown. */
export type Part = "everything" | "problems" | "trash";

interface Props {
  readonly folders: readonly Folder[];
  readonly folder: string | null;
  readonly part: Part;
  readonly all: number;
  readonly inNone: number;
  readonly problems: number;
  readonly trashedCount: number;
  readonly onFolder: (folder: string | null) => void;
  readonly onPart: (part: Part) => void;
}

export const Folders = memo(function Folders(props: Props): ReactNode {
  const { folders, folder, part, onFolder, onPart } = props;
  const isEverything = part === "everything";
  return (
    <Box
      component="nav"
      className="scrolls"
      visibleFrom="lg"
      flex="none"
      w={220}
      pt={4}
      pb={16}
      ps={16}
      pe={8}
      aria-label={t("library.folders")}
    >
      <Flex component="ul" direction="column" gap={1}>
        <Entry
          sign={IconPhotoVideo}
          name={t("library.allAssets")}
          count={props.all}
          isHere={isEverything && folder === null}
          onGo={() => {
            onFolder(null);
          }}
        />
        {folders.map(({ path, name, depth, count }) => (
          <Entry
            key={path}
            sign={IconFolder}
            name={name}
            title={path}
            depth={depth}
            count={count}
            isHere={isEverything && folder === path}
            onGo={() => {
              onFolder(path);
            }}
          />
        ))}
        {folders.length > 0 ? (
          <Entry
            sign={IconFolderOff}
            name={t("library.noFolder")}
            count={props.inNone}
            isHere={isEverything && folder === ""}
            onGo={() => {
              onFolder("");
            }}
          />
        ) : null}
      </Flex>
      {can("player") || props.problems > 0 ? (
        <Box h={1} m={8} bg="var(--line)" />
      ) : null}
      <Flex component="ul" direction="column" gap={1}>
        {props.problems > 0 ? (
          <Entry
            sign={IconAlertTriangle}
            name={t("library.problems")}
            count={props.problems}
            isHere={part === "problems"}
            onGo={() => {
              onPart("problems");
            }}
          />
        ) : null}
        {can("player") ? (
          <Entry
            sign={IconTrash}
            name={t("library.trash")}
            count={props.trashedCount}
            isHere={part === "trash"}
            onGo={() => {
              onPart("trash");
            }}
          />
        ) : null}
      </Flex>
    </Box>
  );
});

interface EntryProps {
  readonly sign: Icon;
  readonly name: string;
  readonly title?: string;
  readonly depth?: number;
  readonly count?: number;
  readonly isHere: boolean;
  readonly onGo: () => void;
}

function Entry(props: EntryProps): ReactNode {
  const { sign: Sign, name, title, depth = 0, count, isHere, onGo } = props;
  return (
    <li>
      <UnstyledButton
        className="folder"
        variant="row"
        w="100%"
        mih={36}
        pe={8}
        fw={isHere ? 600 : 400}
        title={title ?? name}
        aria-current={isHere}
        ps={8 + depth * 16}
        onClick={onGo}
      >
        <Sign size={18} stroke={1.75} color="var(--quiet)" aria-hidden />
        <Text component="span" truncate flex={1} miw={0}>
          <bdi>{name}</bdi>
        </Text>
        {count === undefined || count === 0 ? null : (
          <Text
            component="span"
            className="figures"
            flex="none"
            c="dimmed"
            fz={13}
            fw={isHere ? 600 : 400}
          >
            {formats.count(count)}
          </Text>
        )}
      </UnstyledButton>
    </li>
  );
}
