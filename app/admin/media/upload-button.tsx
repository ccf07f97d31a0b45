import { useRef } from 'react';
import { uploadedTypes } from '#app/features/pictures/library-picture.ts';
import { Button } from '#app/ui/button.tsx';

/** A button that chooses pictures and uploads them at once. Needs JavaScript. */
export function UploadButton({
  label,
  isBusy,
  isMultiple = false,
  onFiles,
}: {
  label: string;
  isBusy: boolean;
  isMultiple?: boolean;
  onFiles: (files: File[]) => void;
}) {
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <Button data-needs-js isBusy={isBusy} onClick={() => input.current?.click()}>
        {label}
      </Button>
      <input
        ref={input}
        type="file"
        accept={uploadedTypes}
        multiple={isMultiple}
        hidden
        aria-label={label}
        onChange={(event) => {
          // The form must not count this as a change: the URL field will.
          event.stopPropagation();
          onFiles([...(event.target.files ?? [])]);
          event.target.value = '';
        }}
      />
    </>
  );
}
