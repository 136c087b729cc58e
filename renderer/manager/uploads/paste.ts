// Paste handling: an address pasted outside of a field becomes a page in the library; pasted files become assets.

import { useEffect } from "react";
import { filesOfDialog } from "./dropped-files.ts";
import { addFiles, addPage } from "./uploads.ts";
import { notifyInternalError } from "../components/outcomes/outcome.ts";

export function usePasteAnywhere(): void {
  useEffect(() => {
    const paste = (event: ClipboardEvent) => {
      const data = event.clipboardData;
      if (!data || isField(event.target)) return;
      if (data.files.length > 0) {
        event.preventDefault();
        addFiles(filesOfDialog([...data.files])).catch(notifyInternalError);
        return;
      }
      const addresses = data
        .getData("text/plain")
        .split(/\s+/)
        .filter((word) => /^(https?|rtsp):\/\/\S+$/i.test(word));
      if (addresses.length === 0) return;
      event.preventDefault();
      for (const address of addresses)
        addPage(address).catch(notifyInternalError);
    };
    window.addEventListener("paste", paste);
    return () => {
      window.removeEventListener("paste", paste);
    };
  }, []);
}

function isField(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement &&
    (target.isContentEditable ||
      /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName))
  );
}
