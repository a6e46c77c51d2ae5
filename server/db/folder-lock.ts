import { lockFolder } from '@ushirika/verifier/lock-folder';

/** Another live process uses the folder. The message is written for the person who started us. */
export class FolderInUse extends Error {}

/** Locks the data folder for this process. @returns the function that gives it free again @throws FolderInUse */
export const lockDataFolder = (folder: string): Promise<() => Promise<void>> =>
  lockFolder(folder, {
    name: 'ushirika',
    refused: (holder) =>
      new FolderInUse(
        `Another Ushirika${holder ? ` (process ${holder})` : ''} is already running on the data folder ${folder}. Stop it first, or set DATA_DIR to another folder.`,
      ),
  });
