/** Id of the button that adds files, which stays when all else of the list goes. */
export const ADD_FILES = 'add-files';

/** Id of the field for the question. */
export const QUESTION = 'document-question';
