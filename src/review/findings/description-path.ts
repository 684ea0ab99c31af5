/**
 * The path of findings about the description of a change: its title, its body, its commit messages. It isn't a path in the
 * repository, it has no lines in the diff, and it belongs to every change.
 */
export const DESCRIPTION_PATH = "(description of the change)";
