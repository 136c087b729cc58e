// Drop target covering the whole window, with an overlay during a drag.

import { Stack, Text } from "@mantine/core";
import { IconFileDownload } from "@tabler/icons-react";
import { useEffect, useState, type ReactNode } from "react";
import { t } from "../../locales/messages.ts";
import { filesOfDrop } from "./dropped-files.ts";
import { addFiles, addPage, uploadPlaylist } from "./uploads.ts";
import "./uploads.css";
import { notifyInternalError } from "../components/outcomes/outcome.ts";

const link = "text/uri-list";

export function DropZone(): ReactNode {
  const [isOver, setIsOver] = useState(false);

  useEffect(() => {
    const over = (event: DragEvent) => {
      if (!event.dataTransfer || !isWelcome(event.dataTransfer)) return;
      // An element of the page that handles the drop itself has prevented the default.
      if (event.defaultPrevented) {
        setIsOver(false);
        return;
      }
      event.preventDefault();
      event.dataTransfer.dropEffect = "copy";
      setIsOver(true);
    };
    const leave = (event: DragEvent) => {
      // Only leaving the window itself has no related target.
      if (event.relatedTarget === null) setIsOver(false);
    };
    const drop = (event: DragEvent) => {
      setIsOver(false);
      if (!event.dataTransfer || !isWelcome(event.dataTransfer)) return;
      if (event.defaultPrevented) return;
      event.preventDefault();
      takeIn(event.dataTransfer);
    };
    window.addEventListener("dragover", over);
    window.addEventListener("dragleave", leave);
    window.addEventListener("drop", drop);
    return () => {
      window.removeEventListener("dragover", over);
      window.removeEventListener("dragleave", leave);
      window.removeEventListener("drop", drop);
    };
  }, []);

  if (!isOver) return null;
  const playlist = uploadPlaylist();
  return (
    <div className="drop-zone">
      <Stack
        align="center"
        justify="center"
        gap={8}
        h="100%"
        bd="2px dashed var(--accent)"
        bdrs={16}
        ta="center"
      >
        <IconFileDownload size={48} stroke={1.5} aria-hidden />
        <Text fz={20} fw={600}>
          {playlist === null
            ? t("uploads.drop")
            : t("uploads.dropInPlaylist", { name: playlist.name })}
        </Text>
        <p>{t("uploads.dropHint")}</p>
      </Stack>
    </div>
  );
}

/** Text dragged into the address field is handled by the field. */
function isWelcome(transfer: DataTransfer): boolean {
  return transfer.types.includes("Files") || transfer.types.includes(link);
}

function takeIn(transfer: DataTransfer): void {
  if (transfer.files.length > 0) {
    addFiles(filesOfDrop(transfer)).catch(notifyInternalError);
    return;
  }
  // RFC 2483: one address per line, comments begin with a hash.
  const addresses = transfer
    .getData(link)
    .split(/\r?\n/)
    .filter((line) => line !== "" && !line.startsWith("#"));
  for (const address of addresses) addPage(address).catch(notifyInternalError);
}
