import type { PlantedCase } from "../planted-case.ts";

export const CASES: readonly PlantedCase[] = [
  {
    id: "c-strcpy-argv",
    language: "c",
    kind: "unbounded copy",
    path: "src/main.c",
    before: `#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NAME_MAX_LENGTH 64

static void greet(const char *name)
{
    char buffer[NAME_MAX_LENGTH];

    snprintf(buffer, sizeof buffer, "%s", name);
    printf("Hello, %s\\n", buffer);
}

int main(int argc, char **argv)
{
    if (argc < 2) {
        fprintf(stderr, "usage: greet NAME\\n");
        return EXIT_FAILURE;
    }
    greet(argv[1]);
    return EXIT_SUCCESS;
}
`,
    after: `#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NAME_MAX_LENGTH 64

static void greet(const char *name)
{
    char buffer[NAME_MAX_LENGTH];

    strcpy(buffer, name);
    printf("Hello, %s\\n", buffer);
}

int main(int argc, char **argv)
{
    if (argc < 2) {
        fprintf(stderr, "usage: greet NAME\\n");
        return EXIT_FAILURE;
    }
    greet(argv[1]);
    return EXIT_SUCCESS;
}
`,
    line: 11,
    severity: "must-fix",
  },
  {
    id: "c-use-after-free",
    language: "c",
    kind: "use after free",
    path: "src/list.c",
    before: `#include <stdlib.h>
#include "list.h"

struct node {
    struct node *next;
    void *value;
};

struct list {
    struct node *head;
    size_t length;
};

void list_clear(struct list *list)
{
    struct node *node = list->head;

    while (node != NULL) {
        struct node *next = node->next;
        free(node);
        node = next;
    }
    list->head = NULL;
    list->length = 0;
}

size_t list_length(const struct list *list)
{
    return list->length;
}
`,
    after: `#include <stdlib.h>
#include "list.h"

struct node {
    struct node *next;
    void *value;
};

struct list {
    struct node *head;
    size_t length;
};

void list_clear(struct list *list)
{
    struct node *node = list->head;

    while (node != NULL) {
        free(node);
        node = node->next;
    }
    list->head = NULL;
    list->length = 0;
}

size_t list_length(const struct list *list)
{
    return list->length;
}
`,
    line: 20,
    severity: "must-fix",
  },
  {
    id: "c-format-string",
    language: "c",
    kind: "variable as a format string",
    path: "src/log.c",
    before: null,
    after: `#include <stdio.h>
#include <time.h>
#include "log.h"

static FILE *output;

int log_open(const char *path)
{
    output = fopen(path, "a");
    return output == NULL ? -1 : 0;
}

void log_message(const char *message)
{
    time_t now = time(NULL);

    if (output == NULL)
        return;
    fprintf(output, "[%ld] ", (long)now);
    fprintf(output, message);
    fputc('\\n', output);
    fflush(output);
}
`,
    line: 20,
    severity: "must-fix",
  },
  {
    id: "c-realloc-leak",
    language: "c",
    kind: "realloc result overwrites the pointer",
    path: "src/buffer.c",
    before: `#include <stdlib.h>
#include <string.h>
#include "buffer.h"

int buffer_append(struct buffer *buffer, const char *data, size_t length)
{
    if (buffer->used + length > buffer->capacity) {
        size_t capacity = (buffer->used + length) * 2;
        char *grown = realloc(buffer->data, capacity);

        if (grown == NULL)
            return -1;
        buffer->data = grown;
        buffer->capacity = capacity;
    }
    memcpy(buffer->data + buffer->used, data, length);
    buffer->used += length;
    return 0;
}
`,
    after: `#include <stdlib.h>
#include <string.h>
#include "buffer.h"

int buffer_append(struct buffer *buffer, const char *data, size_t length)
{
    if (buffer->used + length > buffer->capacity) {
        size_t capacity = (buffer->used + length) * 2;
        buffer->data = realloc(buffer->data, capacity);
        if (buffer->data == NULL)
            return -1;
        buffer->capacity = capacity;
    }
    memcpy(buffer->data + buffer->used, data, length);
    buffer->used += length;
    return 0;
}
`,
    line: 9,
    severity: "major",
  },
  {
    id: "c-sizeof-pointer",
    language: "c",
    kind: "size of a pointer instead of the object",
    path: "src/session.c",
    before: null,
    after: `#include <stdlib.h>
#include <string.h>
#include "session.h"

struct session {
    char user[64];
    unsigned char key[32];
    long expires_at;
};

struct session *session_create(const char *user, long expires_at)
{
    struct session *session = malloc(sizeof(struct session));

    if (session == NULL)
        return NULL;
    memset(session, 0, sizeof(session));
    strncpy(session->user, user, sizeof(session->user) - 1);
    session->expires_at = expires_at;
    return session;
}
`,
    line: 17,
    severity: "must-fix",
  },
  {
    id: "c-system-input",
    language: "c",
    kind: "input in shell command",
    path: "src/cgi_lookup.c",
    before: null,
    after: `#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(void)
{
    char command[512];
    const char *query = getenv("QUERY_STRING");

    printf("Content-Type: text/plain\\r\\n\\r\\n");
    fflush(stdout);
    if (query == NULL || strncmp(query, "host=", 5) != 0) {
        printf("host is required\\n");
        return 0;
    }
    snprintf(command, sizeof(command), "nslookup %s", query + 5);
    return system(command) == 0 ? 0 : 1;
}
`,
    line: 17,
    also: [16],
    severity: "critical",
  },
  {
    id: "c-loop-off-by-one",
    language: "c",
    kind: "index past the end",
    path: "src/matrix.c",
    before: `#include "matrix.h"

#define ROWS 8
#define COLUMNS 8

static double cells[ROWS][COLUMNS];

void matrix_clear(void)
{
    for (int row = 0; row < ROWS; row++)
        for (int column = 0; column < COLUMNS; column++)
            cells[row][column] = 0.0;
}

double matrix_trace(void)
{
    double sum = 0.0;

    for (int i = 0; i < ROWS; i++)
        sum += cells[i][i];
    return sum;
}
`,
    after: `#include "matrix.h"

#define ROWS 8
#define COLUMNS 8

static double cells[ROWS][COLUMNS];

void matrix_clear(void)
{
    for (int row = 0; row < ROWS; row++)
        for (int column = 0; column < COLUMNS; column++)
            cells[row][column] = 0.0;
}

double matrix_trace(void)
{
    double sum = 0.0;

    for (int i = 0; i <= ROWS; i++)
        sum += cells[i][i];
    return sum;
}
`,
    line: 19,
    also: [20],
    severity: "must-fix",
  },
  {
    id: "c-assign-condition",
    language: "c",
    kind: "assignment in a condition",
    path: "src/state.c",
    before: null,
    after: `#include <stdbool.h>
#include "state.h"

enum state { STATE_IDLE, STATE_RUNNING, STATE_FAILED };

struct machine {
    enum state state;
    int attempts;
};

bool machine_step(struct machine *machine)
{
    if (machine->state = STATE_FAILED) {
        if (machine->attempts >= 3)
            return false;
        machine->attempts++;
        machine->state = STATE_IDLE;
    }
    if (machine->state == STATE_IDLE)
        machine->state = STATE_RUNNING;
    return true;
}
`,
    line: 13,
    severity: "must-fix",
  },
  {
    id: "c-file-leak",
    language: "c",
    kind: "file not closed on an error path",
    path: "src/config.c",
    before: `#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "config.h"

int config_load(struct config *config, const char *path)
{
    char line[256];
    FILE *file = fopen(path, "r");

    if (file == NULL)
        return -1;
    while (fgets(line, sizeof(line), file) != NULL) {
        char *separator = strchr(line, '=');

        if (separator == NULL)
            continue;
        *separator = '\\0';
        config_set(config, line, separator + 1);
    }
    fclose(file);
    return 0;
}
`,
    after: `#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "config.h"

int config_load(struct config *config, const char *path)
{
    char line[256];
    FILE *file = fopen(path, "r");

    if (file == NULL)
        return -1;
    while (fgets(line, sizeof(line), file) != NULL) {
        char *separator = strchr(line, '=');

        if (separator == NULL)
            return -2;
        *separator = '\\0';
        config_set(config, line, separator + 1);
    }
    fclose(file);
    return 0;
}
`,
    line: 17,
    also: [9],
    severity: "medium",
  },
];
