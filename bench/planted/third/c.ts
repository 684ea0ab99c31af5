import type { PlantedCase } from "../planted-case.ts";

export const CASES: readonly PlantedCase[] = [
  {
    id: "third-c-strcpy-argument",
    language: "c",
    kind: "unbounded copy of an argument",
    path: "tools/rename.c",
    before: null,
    after: `#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SUFFIX ".bak"

static void usage(const char *program)
{
    fprintf(stderr, "usage: %s FILE\\n", program);
}

int main(int argc, char **argv)
{
    char target[64];

    if (argc != 2) {
        usage(argv[0]);
        return EXIT_FAILURE;
    }

    strcpy(target, argv[1]);
    strncat(target, SUFFIX, sizeof(target) - strlen(target) - 1);

    if (rename(argv[1], target) != 0) {
        fprintf(stderr, "cannot rename %s: %s\\n", argv[1], strerror(errno));
        return EXIT_FAILURE;
    }
    printf("%s -> %s\\n", argv[1], target);
    return EXIT_SUCCESS;
}
`,
    line: 22,
    severity: "major",
  },
  {
    id: "third-c-malloc-terminator",
    language: "c",
    kind: "no room for the terminator",
    path: "src/strutil.c",
    before: `#include "strutil.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

char *str_lower(const char *text)
{
    size_t length = strlen(text);
    char *copy = malloc(length + 1);
    if (copy == NULL)
        return NULL;
    for (size_t i = 0; i <= length; i++)
        copy[i] = (char)tolower((unsigned char)text[i]);
    return copy;
}

int str_starts_with(const char *text, const char *prefix)
{
    return strncmp(text, prefix, strlen(prefix)) == 0;
}

void str_trim_end(char *text)
{
    size_t length = strlen(text);
    while (length > 0 && isspace((unsigned char)text[length - 1]))
        length--;
    text[length] = '\\0';
}
`,
    after: `#include "strutil.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

char *str_lower(const char *text)
{
    char *copy = malloc(strlen(text));
    if (copy == NULL)
        return NULL;
    strcpy(copy, text);
    for (char *p = copy; *p != '\\0'; p++)
        *p = (char)tolower((unsigned char)*p);
    return copy;
}

int str_starts_with(const char *text, const char *prefix)
{
    return strncmp(text, prefix, strlen(prefix)) == 0;
}

void str_trim_end(char *text)
{
    size_t length = strlen(text);
    while (length > 0 && isspace((unsigned char)text[length - 1]))
        length--;
    text[length] = '\\0';
}
`,
    line: 9,
    also: [12],
    severity: "major",
  },
  {
    id: "third-c-sizeof-pointer",
    language: "c",
    kind: "size of a pointer instead of the object",
    path: "src/session.c",
    before: null,
    after: `#include "session.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

struct session {
    unsigned char key[32];
    char user[64];
    time_t created;
    int requests;
};

struct session *session_new(const char *user)
{
    struct session *s = malloc(sizeof(*s));
    if (s == NULL)
        return NULL;
    memset(s, 0, sizeof(s));
    strncpy(s->user, user, sizeof(s->user) - 1);
    s->created = time(NULL);
    return s;
}

void session_count(struct session *s)
{
    s->requests++;
}

void session_free(struct session *s)
{
    free(s);
}
`,
    line: 19,
    severity: "medium",
  },
  {
    id: "third-c-use-after-free",
    language: "c",
    kind: "use after free",
    path: "src/list.c",
    before: `#include "list.h"

#include <stdlib.h>
#include <string.h>

struct node {
    char *name;
    struct node *next;
};

struct list {
    struct node *head;
    size_t count;
};

int list_push(struct list *list, const char *name)
{
    struct node *node = malloc(sizeof(*node));
    if (node == NULL)
        return -1;
    node->name = strdup(name);
    if (node->name == NULL) {
        free(node);
        return -1;
    }
    node->next = list->head;
    list->head = node;
    list->count++;
    return 0;
}

void list_clear(struct list *list)
{
    struct node *node = list->head;
    while (node != NULL) {
        struct node *next = node->next;
        free(node->name);
        free(node);
        node = next;
    }
    list->head = NULL;
    list->count = 0;
}
`,
    after: `#include "list.h"

#include <stdlib.h>
#include <string.h>

struct node {
    char *name;
    struct node *next;
};

struct list {
    struct node *head;
    size_t count;
};

int list_push(struct list *list, const char *name)
{
    struct node *node = malloc(sizeof(*node));
    if (node == NULL)
        return -1;
    node->name = strdup(name);
    if (node->name == NULL) {
        free(node);
        return -1;
    }
    node->next = list->head;
    list->head = node;
    list->count++;
    return 0;
}

void list_clear(struct list *list)
{
    for (struct node *node = list->head; node != NULL; node = node->next) {
        free(node->name);
        free(node);
    }
    list->head = NULL;
    list->count = 0;
}
`,
    line: 34,
    also: [36],
    severity: "major",
  },
  {
    id: "third-c-format-string",
    language: "c",
    kind: "format string from the network",
    path: "src/audit.c",
    before: null,
    after: `#include <string.h>
#include <sys/socket.h>
#include <syslog.h>

#define LINE_MAX_LENGTH 512

static void strip_newline(char *line)
{
    line[strcspn(line, "\\r\\n")] = '\\0';
}

int audit_handle(int client)
{
    char line[LINE_MAX_LENGTH];
    ssize_t received = recv(client, line, sizeof(line) - 1, 0);

    if (received < 0) {
        syslog(LOG_ERR, "recv: %m");
        return -1;
    }
    line[received] = '\\0';
    strip_newline(line);

    if (line[0] == '\\0')
        return 0;
    syslog(LOG_NOTICE, line);
    if (send(client, "OK\\n", 3, 0) != 3)
        return -1;
    return 1;
}
`,
    line: 26,
    severity: "major",
  },
  {
    id: "third-c-system-command",
    language: "c",
    kind: "shell command built from an argument",
    path: "src/backup.c",
    before: `#include "backup.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <unistd.h>

#define ARCHIVE "/var/backups/data.tar.gz"

int backup_directory(const char *directory)
{
    pid_t pid = fork();
    if (pid < 0) {
        perror("fork");
        return -1;
    }
    if (pid == 0) {
        execl("/bin/tar", "tar", "-czf", ARCHIVE, "--", directory, (char *)NULL);
        _exit(127);
    }
    int status;
    if (waitpid(pid, &status, 0) < 0)
        return -1;
    return WIFEXITED(status) && WEXITSTATUS(status) == 0 ? 0 : -1;
}

int main(int argc, char **argv)
{
    if (argc != 2) {
        fprintf(stderr, "usage: %s DIRECTORY\\n", argv[0]);
        return EXIT_FAILURE;
    }
    return backup_directory(argv[1]) == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
`,
    after: `#include "backup.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <unistd.h>

#define ARCHIVE "/var/backups/data.tar.gz"

int backup_directory(const char *directory)
{
    char command[1024];
    int length = snprintf(command, sizeof(command), "/bin/tar -czf %s %s", ARCHIVE, directory);
    if (length < 0 || (size_t)length >= sizeof(command))
        return -1;
    int status = system(command);
    if (status < 0)
        return -1;
    return WIFEXITED(status) && WEXITSTATUS(status) == 0 ? 0 : -1;
}

int main(int argc, char **argv)
{
    if (argc != 2) {
        fprintf(stderr, "usage: %s DIRECTORY\\n", argv[0]);
        return EXIT_FAILURE;
    }
    return backup_directory(argv[1]) == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
`,
    line: 17,
    also: [14],
    severity: "major",
  },
  {
    id: "third-c-leak-on-error",
    language: "c",
    kind: "file not closed on an error path",
    path: "src/header.c",
    before: `#include "header.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

static const char MAGIC[4] = {'A', 'R', 'C', '1'};

int header_read(const char *path, struct header *header)
{
    FILE *file = fopen(path, "rb");
    if (file == NULL)
        return HEADER_NOT_FOUND;

    unsigned char raw[16];
    if (fread(raw, 1, sizeof(raw), file) != sizeof(raw)) {
        fclose(file);
        return HEADER_TRUNCATED;
    }
    fclose(file);
    if (memcmp(raw, MAGIC, sizeof(MAGIC)) != 0)
        return HEADER_BAD_MAGIC;

    header->version = (uint16_t)(raw[4] | raw[5] << 8);
    header->flags = (uint16_t)(raw[6] | raw[7] << 8);
    header->entries = (uint32_t)raw[8] | (uint32_t)raw[9] << 8 | (uint32_t)raw[10] << 16 | (uint32_t)raw[11] << 24;
    return HEADER_OK;
}
`,
    after: `#include "header.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

static const char MAGIC[4] = {'A', 'R', 'C', '1'};

int header_read(const char *path, struct header *header)
{
    FILE *file = fopen(path, "rb");
    if (file == NULL)
        return HEADER_NOT_FOUND;

    unsigned char raw[16];
    if (fread(raw, 1, sizeof(raw), file) != sizeof(raw)) {
        fclose(file);
        return HEADER_TRUNCATED;
    }
    if (memcmp(raw, MAGIC, sizeof(MAGIC)) != 0)
        return HEADER_BAD_MAGIC;
    fclose(file);

    header->version = (uint16_t)(raw[4] | raw[5] << 8);
    header->flags = (uint16_t)(raw[6] | raw[7] << 8);
    header->entries = (uint32_t)raw[8] | (uint32_t)raw[9] << 8 | (uint32_t)raw[10] << 16 | (uint32_t)raw[11] << 24;
    return HEADER_OK;
}
`,
    line: 21,
    also: [11],
    severity: "medium",
  },
  {
    id: "third-c-char-eof",
    language: "c",
    kind: "EOF compared with a char",
    path: "src/wordcount.c",
    before: null,
    after: `#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>

struct counts {
    unsigned long lines;
    unsigned long words;
    unsigned long bytes;
};

static void count(FILE *input, struct counts *counts)
{
    char c;
    int in_word = 0;

    while ((c = getc(input)) != EOF) {
        counts->bytes++;
        if (c == '\\n')
            counts->lines++;
        if (isspace((unsigned char)c)) {
            in_word = 0;
        } else if (!in_word) {
            in_word = 1;
            counts->words++;
        }
    }
}

int main(void)
{
    struct counts counts = {0, 0, 0};
    count(stdin, &counts);
    printf("%lu %lu %lu\\n", counts.lines, counts.words, counts.bytes);
    return ferror(stdin) ? EXIT_FAILURE : EXIT_SUCCESS;
}
`,
    line: 16,
    also: [13],
    severity: "medium",
  },
];
