// The system's own file dialog, opened from anywhere.

import { addFiles } from "./intake.ts";

export function chooseFiles(): void {
  const field = document.createElement("input");
  field.type = "file";
  field.multiple = true;
  field.addEventListener("change", () => {
    void addFiles([...(field.files ?? [])]);
  });
  field.click();
}
