import type { PlantedCase } from "../planted-case.ts";

export const CASES: readonly PlantedCase[] = [
  {
    id: "c-malloc-unchecked",
    language: "c",
    kind: "allocation used without a check",
    path: "lib/ring.c",
    before: `#include <stdlib.h>
#include "ring.h"

struct ring {
	unsigned int size;
	unsigned int head;
	unsigned int tail;
	int *slots;
};

struct ring *ring_new(unsigned int size)
{
	struct ring *r = malloc(sizeof(*r));

	if (!r)
		return NULL;
	r->size = size;
	r->head = 0;
	r->tail = 0;
	r->slots = calloc(size, sizeof(*r->slots));
	if (!r->slots) {
		free(r);
		return NULL;
	}
	return r;
}
`,
    after: `#include <stdlib.h>
#include "ring.h"

struct ring {
	unsigned int size;
	unsigned int head;
	unsigned int tail;
	int *slots;
};

struct ring *ring_new(unsigned int size)
{
	struct ring *r = malloc(sizeof(*r));

	r->size = size;
	r->head = 0;
	r->tail = 0;
	r->slots = calloc(size, sizeof(*r->slots));
	if (!r->slots) {
		free(r);
		return NULL;
	}
	return r;
}
`,
    line: 15,
    also: [13],
    severity: "major",
  },
  {
    id: "c-gets-scanf",
    language: "c",
    kind: "unbounded read",
    path: "tools/prompt.c",
    before: null,
    after: `#include <stdio.h>
#include <string.h>
#include <stdbool.h>

bool confirm(const char *question)
{
	char answer[8];

	printf("%s [y/n] ", question);
	fflush(stdout);
	if (scanf("%s", answer) != 1)
		return false;
	return strcmp(answer, "y") == 0 || strcmp(answer, "yes") == 0;
}

int main(void)
{
	if (!confirm("Format the disk?"))
		return 1;
	puts("formatting");
	return 0;
}
`,
    line: 11,
    severity: "must-fix",
  },
  {
    id: "c-strcmp-condition",
    language: "c",
    kind: "comparison with the wrong sense",
    path: "net/method.c",
    before: `#include <string.h>
#include <strings.h>
#include "method.h"

enum method method_parse(const char *text)
{
	if (strcmp(text, "GET") == 0)
		return METHOD_GET;
	if (strcmp(text, "POST") == 0)
		return METHOD_POST;
	if (strcmp(text, "DELETE") == 0)
		return METHOD_DELETE;
	return METHOD_UNKNOWN;
}

const char *method_name(enum method method)
{
	switch (method) {
	case METHOD_GET:
		return "GET";
	case METHOD_POST:
		return "POST";
	case METHOD_DELETE:
		return "DELETE";
	default:
		return "?";
	}
}
`,
    after: `#include <string.h>
#include <strings.h>
#include "method.h"

enum method method_parse(const char *text)
{
	if (strcmp(text, "GET") == 0)
		return METHOD_GET;
	if (strcmp(text, "POST") == 0)
		return METHOD_POST;
	if (text == "DELETE")
		return METHOD_DELETE;
	return METHOD_UNKNOWN;
}

const char *method_name(enum method method)
{
	switch (method) {
	case METHOD_GET:
		return "GET";
	case METHOD_POST:
		return "POST";
	case METHOD_DELETE:
		return "DELETE";
	default:
		return "?";
	}
}
`,
    line: 11,
    severity: "must-fix",
  },
  {
    id: "c-double-free",
    language: "c",
    kind: "double free",
    path: "lib/document.c",
    before: `#include <stdlib.h>
#include <string.h>
#include "document.h"

int document_replace(struct document *doc, const char *body)
{
	char *copy = strdup(body);

	if (!copy)
		return -1;
	if (document_validate(copy) != 0) {
		free(copy);
		goto fail;
	}
	free(doc->body);
	doc->body = copy;
	return 0;

fail:
	doc->errors++;
	return -1;
}
`,
    after: `#include <stdlib.h>
#include <string.h>
#include "document.h"

int document_replace(struct document *doc, const char *body)
{
	char *copy = strdup(body);

	if (!copy)
		return -1;
	if (document_validate(copy) != 0) {
		free(copy);
		goto fail;
	}
	free(doc->body);
	doc->body = copy;
	return 0;

fail:
	free(copy);
	doc->errors++;
	return -1;
}
`,
    line: 20,
    severity: "must-fix",
  },
  {
    id: "c-return-local",
    language: "c",
    kind: "address of a local returned",
    path: "util/hex.c",
    before: `#include <stdio.h>
#include <stdint.h>
#include "hex.h"

char *hex_of(uint32_t value)
{
	static char text[9];

	snprintf(text, sizeof(text), "%08x", value);
	return text;
}

int hex_digit(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	if (c >= 'a' && c <= 'f')
		return c - 'a' + 10;
	return -1;
}
`,
    after: `#include <stdio.h>
#include <stdint.h>
#include "hex.h"

char *hex_of(uint32_t value)
{
	char text[9];

	snprintf(text, sizeof(text), "%08x", value);
	return text;
}

int hex_digit(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	if (c >= 'a' && c <= 'f')
		return c - 'a' + 10;
	return -1;
}
`,
    line: 10,
    severity: "must-fix",
  },
  {
    id: "c-missing-break",
    language: "c",
    kind: "missing break",
    path: "drivers/uart.c",
    before: null,
    after: `#include "uart.h"
#include "registers.h"

int uart_set_parity(struct uart *port, enum parity parity)
{
	unsigned int control = port->regs->control & ~PARITY_MASK;

	switch (parity) {
	case PARITY_NONE:
		break;
	case PARITY_EVEN:
		control |= PARITY_ENABLE;
	case PARITY_ODD:
		control |= PARITY_ENABLE | PARITY_ODD_BIT;
		break;
	default:
		return -1;
	}
	port->regs->control = control;
	return 0;
}
`,
    line: 13,
    severity: "must-fix",
  },
  {
    id: "c-sprintf-recv",
    language: "c",
    kind: "network input in a fixed buffer",
    path: "net/login.c",
    before: null,
    after: `#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include "login.h"

int login_read(int fd, struct login *login)
{
	char request[1024];
	char name[32];
	ssize_t got = recv(fd, request, sizeof(request) - 1, 0);

	if (got <= 0)
		return -1;
	request[got] = '\\0';
	if (strncmp(request, "USER ", 5) != 0)
		return -1;
	sprintf(name, "%s", request + 5);
	return login_begin(login, name);
}
`,
    line: 17,
    severity: "critical",
  },
  {
    id: "c-empty-if-body",
    language: "c",
    kind: "semicolon after a condition",
    path: "lib/retry.c",
    before: `#include <unistd.h>
#include "retry.h"

int retry(int (*work)(void *), void *argument, int attempts)
{
	int result = -1;

	for (int i = 0; i < attempts; i++) {
		result = work(argument);
		if (result == 0)
			return 0;
		usleep(1000u << i);
	}
	return result;
}
`,
    after: `#include <unistd.h>
#include "retry.h"

int retry(int (*work)(void *), void *argument, int attempts)
{
	int result = -1;

	for (int i = 0; i < attempts; i++) {
		result = work(argument);
		if (result == 0);
			return 0;
		usleep(1000u << i);
	}
	return result;
}
`,
    line: 10,
    severity: "must-fix",
  },
  {
    id: "c-tmpnam",
    language: "c",
    kind: "predictable temporary file",
    path: "tools/editor.c",
    before: null,
    after: `#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "editor.h"

int edit_text(char *text, size_t size)
{
	char path[L_tmpnam];
	FILE *file;

	if (tmpnam(path) == NULL)
		return -1;
	file = fopen(path, "w+");
	if (file == NULL)
		return -1;
	fputs(text, file);
	fclose(file);
	if (run_editor(path) != 0)
		return -1;
	return read_back(path, text, size);
}
`,
    line: 11,
    severity: "major",
  },
];
