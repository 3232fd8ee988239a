// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
#include "parallel/comm.h"

#include <string.h>

enum { ALIGNMENT = 8 }; // bytes: of the data of a message

static size_t round_up(size_t bytes) { return (bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT; }

kai_comm_inbox kai_comm_inbox_make(kai_memory* memory)
{
    return (kai_comm_inbox){.memory = memory,
                            .messages = kai_array_make(sizeof(kai_comm_message)),
                            .bytes = kai_array_make(1)};
}

void kai_comm_inbox_free(kai_comm_inbox* inbox)
{
    kai_array_free(&inbox->messages, inbox->memory);
    kai_array_free(&inbox->bytes, inbox->memory);
}

kai_result kai_comm_inbox_reserve(kai_comm_inbox* inbox, size_t messages, size_t bytes,
                                  kai_error* err)
{
    inbox->messages.count = inbox->bytes.count = 0;
    KAI_TRY(kai_array_reserve(&inbox->messages, inbox->memory, messages, err));
    return kai_array_reserve(&inbox->bytes, inbox->memory, bytes + messages * (ALIGNMENT - 1), err);
}

void kai_comm_inbox_put(kai_comm_inbox* inbox, int from, const void* data, size_t bytes)
{
    char* to = (char*)inbox->bytes.data + inbox->bytes.count;
    if (bytes > 0) memcpy(to, data, bytes);
    inbox->bytes.count += round_up(bytes);
    kai_comm_message* messages = inbox->messages.data;
    messages[inbox->messages.count++] = (kai_comm_message){from, to, bytes};
}
