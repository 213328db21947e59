#include "kube/material.h"

#include "kube/printable.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

static int read_failed(const char *path, int reason, struct error *error)
{
    if (reason == ENOMEM)
        return error_set_out_of_memory(error);
    struct kube_printable name = kube_printable(slice_of(path));
    return error_set(error, "cannot read %s: %s", name.text, strerror(reason));
}

static int read_whole(const char *path, int flags, struct secret *content, struct error *error)
{
    *content = (struct secret){0};
    int file = open(path, O_RDONLY | O_CLOEXEC | flags);
    if (file < 0)
        return read_failed(path, errno, error);
    int reason = secret_read(file, KUBE_FILE_BYTES_MAX, content);
    close(file);
    return reason ? read_failed(path, reason, error) : 0;
}

/* O_NONBLOCK: a pipe without a writer must not block a call for ever. */
int kube_file_read(const char *path, struct secret *content, struct error *error)
{
    return read_whole(path, O_NONBLOCK, content, error);
}

int kube_file_await(const char *path, struct secret *content, struct error *error)
{
    return read_whole(path, 0, content, error);
}

bool kube_material_is_empty(const struct kube_material *material)
{
    return !material->content.bytes && !material->path;
}

int kube_material_read(
    const struct kube_material *material, struct secret *current, bool *is_new, struct error *error)
{
    struct secret content = {0};
    *is_new = false;
    if (kube_material_is_empty(material) || (!material->path && current->bytes))
        return 0;
    if (material->path && kube_file_read(material->path, &content, error) != 0)
        return -1;
    if (!material->path)
        content = secret_copy(&material->content);
    if (!content.bytes)
        return error_set_out_of_memory(error);
    *is_new = !current->bytes || !slice_equal(secret_slice(&content), secret_slice(current));
    secret_free(current);
    *current = content;
    return 0;
}

static bool is_blank(char byte)
{
    return byte == ' ' || (byte >= '\t' && byte <= '\r');
}

bool kube_token_trim(struct slice text, struct slice *token)
{
    while (text.length && is_blank(text.bytes[0]))
        text = slice_from(text, 1);
    while (text.length && is_blank(text.bytes[text.length - 1]))
        text.length--;
    for (size_t i = 0; i < text.length; i++) {
        unsigned char byte = (unsigned char)text.bytes[i];
        if (byte <= ' ' || byte >= 0x7f)
            return false;
    }
    *token = text;
    return text.length > 0;
}
