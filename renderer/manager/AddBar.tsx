// The two ways in besides dropping: choosing files, and giving the address of a web page.

import { Button, FileButton, TextInput } from "@mantine/core";
import { IconUpload, IconWorld } from "@tabler/icons-react";
import { useState, type ReactNode, type SubmitEvent } from "react";
import { reasonOf } from "./api.ts";
import { addFiles, addPage } from "./intake.ts";
import { texts } from "./texts/texts.ts";

/** While nothing is there yet, the empty list carries the button. */
export function AddBar({
  withFiles,
}: {
  readonly withFiles: boolean;
}): ReactNode {
  return (
    <div className="add-bar">
      {withFiles ? <AddFilesButton /> : null}
      <AddPageForm />
    </div>
  );
}

export function AddFilesButton(): ReactNode {
  return (
    // What a file is, the player reads from its bytes; this only sorts the file dialog.
    <FileButton
      multiple
      accept="image/*,video/*"
      onChange={(files) => {
        void addFiles(files);
      }}
    >
      {(props) => (
        <Button {...props} leftSection={<IconUpload size={20} aria-hidden />}>
          {texts.addFiles}
        </Button>
      )}
    </FileButton>
  );
}

function AddPageForm(): ReactNode {
  const [address, setAddress] = useState("");
  const [refusal, setRefusal] = useState<string | null>(null);
  const [isAdding, setIsAdding] = useState(false);

  const submit = async (event: SubmitEvent) => {
    event.preventDefault();
    if (address.trim() === "" || isAdding) return;
    setIsAdding(true);
    setRefusal(null);
    try {
      await addPage(address);
      setAddress("");
    } catch (error) {
      setRefusal(`${texts.pageRefused} ${reasonOf(error)}`);
    } finally {
      setIsAdding(false);
    }
  };

  return (
    <form className="add-page" onSubmit={(event) => void submit(event)}>
      <TextInput
        className="add-page-field"
        leftSection={<IconWorld size={20} aria-hidden />}
        aria-label={texts.pageAddress}
        placeholder={texts.pageHint}
        inputMode="url"
        dir={address === "" ? "auto" : "ltr"}
        spellCheck={false}
        value={address}
        error={refusal}
        errorProps={{ role: "alert", dir: "auto" }}
        onChange={(event) => {
          setAddress(event.currentTarget.value);
          setRefusal(null);
        }}
      />
      <Button
        type="submit"
        variant="default"
        loading={isAdding}
        aria-label={texts.addPage}
      >
        {texts.add}
      </Button>
    </form>
  );
}
